import FoundationEssentials
import TillModel

/// Where a piece of content is fetched from, as a manifest says it.
struct SourceLocation: Hashable {
    /// Why a text is no source, and what to write.
    struct Failure: Error {
        /// One clause.
        var reason: String
    }

    static let rule = "a URL such as \"file:content/themes.zip\" or \"https://example.org/themes.zip\""

    /// Absolute; the scheme in lower case.
    let url: URL

    /// - Parameter directory: What a relative `file:` is resolved against.
    init(_ text: String, relativeTo directory: String) throws(Failure) {
        guard text.utf8.count <= CatalogueLimits.sourceBytes else {
            throw Failure(reason: "it is longer than \(CatalogueLimits.sourceBytes) bytes")
        }
        guard let colon = text.firstIndex(of: ":") else {
            throw Failure(reason: "expected is \(Self.rule)")
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

    /// Absolute, without a slash at the end; what relative sources in the file at `path` are resolved against.
    static func directory(of path: String) -> String {
        let end = path.lastIndex(of: "/")
        let directory = end.map { path[..<$0] } ?? "."
        guard !path.hasPrefix("/") else { return String(directory) }
        return FileManager.default.currentDirectoryPath + (directory == "." ? "" : "/\(directory)")
    }

    /// The path of a `file` URL by RFC 8089, or of one that is relative.
    private static func path(_ text: Substring, _ directory: String) throws(Failure) -> String {
        let path = try decoded(local(text))
        guard let last = path.split(separator: "/", omittingEmptySubsequences: false).last,
            !["", ".", ".."].contains(last)
        else {
            throw Failure(reason: "it names no file")
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
        guard !rest.contains("#") else { throw Failure(reason: "it has a fragment, which a source must not have") }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw Failure(reason: "it has a user or password, which a source must not have")
        }
        let url = URL(string: "\(scheme):\(rest)", encodingInvalidCharacters: false)
        guard rest.hasPrefix("//"), let url, url.namesHost else {
            throw Failure(reason: "expected is \(Self.rule)")
        }
        guard url.hasPossiblePort else {
            throw Failure(reason: "its port is not from 1 to 65535")
        }
        return url
    }
}
