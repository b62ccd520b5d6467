import FoundationEssentials
import TillModel

/// The source of a piece of content in a manifest.
struct SourceLocation: Hashable {
    /// The reason a text is not a valid source, and what to write instead.
    struct Failure: Error {
        /// One clause.
        var reason: String
    }

    static let rule = "a URL such as \"file:content/themes.zip\" or \"https://example.org/themes.zip\""

    /// Absolute; the scheme in lower case.
    let url: URL

    /// - Parameter directory: The base directory of a relative `file:` URL.
    init(_ text: String, relativeTo directory: String) throws(Failure) {
        guard text.utf8.count <= CatalogueLimits.sourceBytes else {
            throw Failure(reason: "it is longer than \(CatalogueLimits.sourceBytes) bytes")
        }
        guard let colon = text.firstIndex(of: ":") else {
            throw Failure(reason: "expected \(Self.rule)")
        }
        let rest = text[colon...].dropFirst()
        switch text[..<colon].lowercased() {
        case "file":
            url = URL(filePath: try Self.path(rest, directory), directoryHint: .notDirectory)
        case let scheme where scheme == "http" || scheme == "https":
            url = try Self.web(scheme, rest)
        default:
            throw Failure(reason: "its scheme is not file, http or https")
        }
    }

    /// The base directory of relative sources in the file at `path`: absolute, without a trailing slash.
    static func directory(of path: String) -> String {
        let end = path.lastIndex(of: "/")
        let directory = end.map { path[..<$0] } ?? "."
        guard !path.hasPrefix("/") else { return String(directory) }
        return FileManager.default.currentDirectoryPath + (directory == "." ? "" : "/\(directory)")
    }

    /// The path of an absolute (RFC 8089) or relative `file` URL.
    private static func path(_ text: Substring, _ directory: String) throws(Failure) -> String {
        let path = try decoded(local(text))
        guard let last = path.split(separator: "/", omittingEmptySubsequences: false).last,
            !["", ".", ".."].contains(last)
        else {
            throw Failure(reason: "it does not name a file")
        }
        return path.hasPrefix("/") ? path : "\(directory)/\(path)"
    }

    /// The path of a file URL, which has no host or an empty one.
    private static func local(_ text: Substring) throws(Failure) -> Substring {
        guard text.hasPrefix("//") else { return text }
        guard text.hasPrefix("///") else {
            throw Failure(reason: "it names another host; write file:///path, or file:path for one beside the manifest")
        }
        return text.dropFirst(2)
    }

    private static func web(_ scheme: String, _ rest: Substring) throws(Failure) -> URL {
        guard !rest.contains("#") else { throw Failure(reason: "it has a fragment, which is not allowed in a source") }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw Failure(reason: "it has a user or password, which is not allowed in a source")
        }
        let url = URL(string: "\(scheme):\(rest)", encodingInvalidCharacters: false)
        guard rest.hasPrefix("//"), let url, url.namesHost else {
            throw Failure(reason: "expected \(Self.rule)")
        }
        guard url.hasPossiblePort else {
            throw Failure(reason: "its port is not from 1 to 65535")
        }
        return url
    }
}

extension SourceLocation {
    /// Decodes the percent-encoding of a path.
    static func decoded(_ text: Substring) throws(Failure) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                guard isPathCharacter(byte) else {
                    throw Failure(reason: "a character in it must be percent-encoded, such as a space as %20")
                }
                bytes.append(byte)
                continue
            }
            guard let high = digit(rest.popFirst()), let low = digit(rest.popFirst()) else {
                throw Failure(reason: "two hexadecimal digits are expected after each %")
            }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0), let path = String(validating: bytes, as: UTF8.self) else {
            throw Failure(reason: "its path is not UTF-8 without NUL")
        }
        return path
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map { UInt8($0) }
    }

    /// Whether the character needs no percent-encoding in a path (RFC 3986, section 3.3).
    private static func isPathCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-._~!$&'()*+,;=:@/".utf8.contains(byte)
        }
    }
}
