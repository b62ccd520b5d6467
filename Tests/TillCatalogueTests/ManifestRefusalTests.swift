import Foundation
import Testing
import TillModel

@testable import TillCatalogue

/// The errors of content manifests, with their messages.
struct ManifestRefusalTests {
    private func read(_ text: String) -> (contents: [String: [ContentSource]], findings: Findings) {
        ManifestReader.read(Array(text.utf8), path: "/shop/Notes.content.json", for: nil)
    }

    /// The only error's message.
    private func refusal(_ text: String) -> String? {
        let findings = read(text).findings
        #expect(findings.errorCount <= 1)
        return findings.diagnostics.first { $0.severity == .error }?.message
    }

    @Test(arguments: [
        ("", "the file is empty"),
        ("{", "the file is not valid JSON: in line 1, a key in quotation marks is expected"),
        ("[]", "the file contains JSON, but not a content manifest, which is an object"),
        (Manifest.file(["version": nil]), "version is missing; expected 1"),
        (Manifest.file(["version": "null"]), "version is missing; expected 1"),
        (Manifest.file(["version": "2"]), "version is 2; expected 1"),
        (Manifest.file(["version": #""1""#]), "version is '1'; expected 1"),
        (
            Manifest.file(["products": nil]),
            "products is missing; expected an object with a list of pieces by product"
        ),
        (
            Manifest.file(["products": "[]"]),
            "products is a list; expected an object with a list of pieces by product"
        ),
        (
            Manifest.file(["products": #"{"a b": []}"#]),
            "products has the key 'a b', which is not a product identifier: use 1 to 128 of A-Z a-z 0-9 . _ : -"
        ),
        (Manifest.file(["products": #"{"a": {}}"#]), "products.a is not a list of pieces"),
        (Manifest.file(["products": #"{"a": [true]}"#]), "[0] is true; expected an object"),
    ])
    func aManifestIsRefusedWithTheReason(text: String, reason: String) {
        #expect(refusal(text) == reason)
    }

    @Test(arguments: ["identifier", "version", "length", "sha256", "source"])
    func aPieceNeedsAllItsMembers(key: String) {
        for json in [nil, "null", "[]", "{}", "true"] as [String?] {
            let text = Manifest.with(Manifest.content(), Manifest.content(["identifier": #""b""#, key: json]))
            #expect(refusal(text)?.hasPrefix("[1].\(key) is ") == true, "\(json ?? "nothing")")
        }
    }

    @Test(arguments: [
        "", ".", "..", ".hidden", "a/b", "a b", "\u{e4}", String(repeating: "x", count: Identifier.maximumBytes + 1),
    ])
    func anIdentifierThatCouldNameAnotherFileIsRefused(identifier: String) {
        let refusal = refusal(Manifest.with(Manifest.content(["identifier": "\"\(identifier)\""])))
        let rule = "1 to 128 of A-Z a-z 0-9 . _ : -, not beginning with a period"
        #expect(refusal == "[0].identifier is \(identifier.quoted); expected \(rule)")
    }

    @Test
    func anIdentifierIsUniqueInAProduct() {
        let twice = Manifest.with(Manifest.content(), Manifest.content(["version": #""2""#]))
        #expect(
            refusal(twice) == "[1].identifier is 'templates', which another piece of the product has already"
        )
        let apart = "{\"a\": [\(Manifest.content())], \"b\": [\(Manifest.content())]}"
        #expect(refusal(Manifest.file(["products": apart])) == nil)
    }

    @Test(arguments: [
        ("1", true), ("0", true), ("1.2", true), ("1.2.3.4", true), ("999999999", true), ("01.002", true),
        ("", false), (".", false), ("1.", false), (".1", false), ("1..2", false), ("1.2.3.4.5", false),
        ("1234567890", false), ("-1", false), ("1.a", false), ("1 ", false), ("v1", false), ("\u{661}", false),
    ])
    func aVersionIsIntegersSeparatedByPeriods(version: String, isRight: Bool) {
        let refusal = refusal(Manifest.with(Manifest.content(["version": "\"\(version)\""])))
        let rule = "1 to 4 integers separated by periods such as \"1.2\", each of at most 9 digits"
        #expect(refusal == (isRight ? nil : "[0].version is \(version.quoted); expected \(rule)"))
    }

    @Test(arguments: [
        ("1", true), ("1099511627776", true), ("0", false), ("-1", false), ("1099511627777", false), ("1.0", false),
        ("1e3", false), ("99999999999999999999", false),
    ])
    func aLengthIsFrom1ByteTo1TiB(length: String, isRight: Bool) {
        let refusal = refusal(Manifest.with(Manifest.content(["length": length])))
        let rule = "a whole number of bytes from 1 to 1099511627776"
        #expect(refusal == (isRight ? nil : "[0].length is \(length); expected \(rule)"))
    }

    @Test
    func aSumIs64HexadecimalDigits() throws {
        let digits = "00112233445566778899aAbBcCdDeEfF0123456789abcdef0123456789ABCDEF"
        let read = read(Manifest.with(Manifest.content(["sha256": "\"\(digits)\""])))
        let sum = try #require(read.contents["org.example.pro"]?.first?.sha256)
        #expect(sum.hexadecimal == digits.lowercased())
        for wrong in [
            "", String(digits.dropLast()), digits + "0", digits.dropLast() + "g", digits.dropLast() + "\u{661}",
        ] {
            let refusal = refusal(Manifest.with(Manifest.content(["sha256": "\"\(wrong)\""])))
            #expect(refusal == "[0].sha256 is \(wrong.quoted); expected 64 hexadecimal digits")
        }
    }

    @Test(arguments: [("\"zip\"", ContentSource.Archive.zip), ("\"tar\"", .tar), ("null", nil)])
    func anArchiveIsOfAKnownKind(json: String, archive: ContentSource.Archive?) {
        let read = read(Manifest.with(Manifest.content(["archive": json])))
        #expect(read.contents["org.example.pro"]?.map(\.archive) == [archive])
        #expect(read.findings.diagnostics.isEmpty)
    }

    @Test(arguments: ["\"rar\"", "\"ZIP\"", "true", "\"\""])
    func anotherArchiveIsRefused(json: String) {
        let refusal = refusal(Manifest.with(Manifest.content(["archive": json])))
        #expect(refusal?.hasPrefix("[0].archive is ") == true)
        #expect(refusal?.hasSuffix("expected \"tar\", \"zip\", or no value for a file that is not unpacked") == true)
    }

    @Test
    func aProductMustBeInTheCatalogue() throws {
        let folder = try ManifestFolder(manifest: Manifest.file(["products": #"{"org.example.absent": []}"#]))
        let error = #expect(throws: TillError.self) { try StoreKitConfiguration(contentsOf: folder.catalogue) }
        let reason = "org.example.absent: the product is not in \(folder.catalogue)"
        #expect(error?.message == "\(folder.manifest): \(reason).")
    }

    @Test
    func morePiecesThanTheLimitsAreRefused() {
        func pieces(_ count: Int) -> String {
            let pieces = (0..<count).map { Manifest.content(["identifier": "\"p\($0)\""]) }
            return "[" + pieces.joined(separator: ",") + "]"
        }
        let limit = CatalogueLimits.contentsOfProduct
        #expect(refusal(Manifest.file(["products": "{\"a\": \(pieces(limit))}"])) == nil)
        #expect(
            refusal(Manifest.file(["products": "{\"a\": \(pieces(limit + 1))}"])) == "there are more than 16 pieces"
        )
        let full = (0..<CatalogueLimits.contents / limit).map { "\"p\($0)\": \(pieces(limit))" }.joined(separator: ",")
        #expect(refusal(Manifest.file(["products": "{\(full)}"])) == nil)
        #expect(
            refusal(Manifest.file(["products": "{\(full), \"q\": \(pieces(1)), \"r\": \(pieces(1))}"]))
                == "the file has more than 4096 pieces of content"
        )
    }
}
