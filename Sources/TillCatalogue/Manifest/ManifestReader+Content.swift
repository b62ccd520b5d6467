import FoundationEssentials
import TillCrypto
import TillModel

extension ManifestReader {
    /// The position of a piece in the manifest.
    struct Place {
        var product: String
        var index: Int

        /// The path of a member in messages, after the product.
        func path(_ key: String? = nil) -> String {
            "[\(index)]" + (key.map { ".\($0)" } ?? "")
        }
    }

    /// Reads one piece; nil after an error.
    mutating func content(_ piece: JSONValue, _ place: Place, _ identifiers: inout Set<String>) -> ContentSource? {
        guard let members = piece.object else {
            expect(place.path(), "an object", found: piece, product: place.product)
            return nil
        }
        let fields = findings.fields(members, .content, product: place.product)
        let identifier = identifier(fields, place, &identifiers)
        let version = value("version", fields, place, Self.versionRule) { $0.string.flatMap(Self.version) }
        let length = value("length", fields, place, Self.lengthRule) { $0.integer.flatMap(Self.length) }
        let sha256 = value("sha256", fields, place, "64 hexadecimal digits") { $0.string.flatMap(Self.sha256) }
        let source = source(fields, place)
        let archive = archive(fields, place)
        guard let identifier, let version, let length, let sha256, let source else { return nil }
        let content = ProductContent(identifier: identifier, version: version, length: length)
        return ContentSource(content: content, sha256: sha256, url: source.url, archive: archive)
    }

    /// Adds an error with the value found and the expected one.
    mutating func expect(_ path: String, _ rule: String, found: JSONValue?, product: String? = nil) {
        let found =
            switch found {
            case nil, .null?: "is missing"
            case .string(let text)?: "is \(text.quoted)"
            case .number(let text)?: "is \(text.prefix(80))"
            case .bool(let flag)?: "is \(flag)"
            case .array?: "is a list"
            case .object?: "is an object"
            }
        findings.error("\(path) \(found); expected \(rule)", product: product)
    }

    private mutating func value<Value>(
        _ key: String,
        _ fields: Fields,
        _ place: Place,
        _ rule: String,
        _ convert: (JSONValue) -> Value?
    ) -> Value? {
        let member = fields.members[key]
        if let value = member.flatMap(convert) { return value }
        expect(place.path(key), rule, found: member, product: place.product)
        return nil
    }

    private mutating func identifier(_ fields: Fields, _ place: Place, _ taken: inout Set<String>) -> String? {
        let rule = "1 to \(Identifier.maximumBytes) of A-Z a-z 0-9 . _ : -, not beginning with a period"
        let identifier = value("identifier", fields, place, rule) { $0.string.flatMap(Self.identifier) }
        guard let identifier else { return nil }
        guard taken.insert(identifier).inserted else {
            findings.error(
                "\(place.path("identifier")) is \(identifier.quoted), which another piece of the product has already",
                product: place.product
            )
            return nil
        }
        return identifier
    }

    private mutating func source(_ fields: Fields, _ place: Place) -> SourceLocation? {
        let member = fields.members["source"]
        guard let text = member?.string else {
            expect(place.path("source"), SourceLocation.rule, found: member, product: place.product)
            return nil
        }
        do {
            return try SourceLocation(text, relativeTo: directory)
        } catch {
            findings.error("\(place.path("source")) is \(text.quoted), but \(error.reason)", product: place.product)
            return nil
        }
    }

    private mutating func archive(_ fields: Fields, _ place: Place) -> ContentSource.Archive? {
        guard let member = fields.members["archive"], member != .null else { return nil }
        let names = ContentSource.Archive.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return value("archive", fields, place, "\(names), or no value for a file that is not unpacked") {
            $0.string.flatMap(ContentSource.Archive.init(rawValue:))
        }
    }
}

extension ManifestReader {
    static let versionRule =
        "1 to \(CatalogueLimits.versionNumbers) integers separated by periods such as \"1.2\", "
        + "each of at most \(CatalogueLimits.versionDigits) digits"
    static let lengthRule = "a whole number of bytes from 1 to \(CatalogueLimits.contentBytes)"

    /// The text if it is a valid identifier of a piece. Files are named after it, so it must not be hidden or lead to
    /// another directory.
    static func identifier(_ text: String) -> String? {
        Identifier.isValid(text) && !text.hasPrefix(".") ? text : nil
    }

    /// The text if it is a valid version.
    static func version(_ text: String) -> String? {
        let numbers = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isVersion =
            numbers.count <= CatalogueLimits.versionNumbers
            && numbers.allSatisfy { number in
                (1...CatalogueLimits.versionDigits).contains(number.count)
                    && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
        return isVersion ? text : nil
    }

    /// The number if it is a valid length of a piece.
    static func length(_ number: Int) -> Int64? {
        let length = Int64(number)
        return (1...CatalogueLimits.contentBytes).contains(length) ? length : nil
    }

    /// The 32 bytes of a SHA-256.
    static func sha256(_ text: String) -> [UInt8]? {
        text.utf8.count == 64 ? [UInt8](hexadecimal: text) : nil
    }
}

/// Checks a piece of content in a local file.
enum ContentFile {
    /// Returns how the file differs from the manifest, as the member's name and one clause; nil if it matches.
    ///
    /// - Parameter progress: Called with the number of bytes read so far.
    static func fault(of source: ContentSource, _ progress: (Int64) -> Void) -> String? {
        let path = source.url.path(percentEncoded: false)
        let length = source.content.length
        do throws(CatalogueFile.Failure) {
            let file = try RegularFile(path: path)
            guard file.size == length else {
                return "length is \(length), but \(path.quoted) has \(file.size) bytes"
            }
            let sum = try sha256(of: file, length: length, progress)
            guard sum != source.sha256 else { return nil }
            return "sha256 does not match \(path.quoted), whose SHA-256 is \(sum.hexadecimal)"
        } catch {
            return "source is \(path.quoted), but \(error.reason)"
        }
    }

    /// The SHA-256 of the first `length` bytes; the limit ensures that reading a growing file ends.
    private static func sha256(
        of file: borrowing RegularFile,
        length: Int64,
        _ progress: (Int64) -> Void
    ) throws(CatalogueFile.Failure) -> [UInt8] {
        var sum = SHA256Hasher()
        var count: Int64 = 0
        while count < length, case let chunk = try file.next(), !chunk.isEmpty {
            sum.update(chunk.prefix(Int(clamping: length - count)))
            count += Int64(chunk.count)
            progress(min(count, length))
        }
        return sum.digest.bytes
    }
}
