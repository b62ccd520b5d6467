import FoundationEssentials
import TillModel

/// The names of a download's files. They never come from a server.
struct DownloadNames: Hashable, Sendable {
    private let id: String

    var part: String { id + ".part" }
    var origin: String { id + ".origin" }
    /// The directory that becomes visible as ``published``.
    var fresh: String { id + ".new" }
    var published: String { id }

    init(_ id: UUID) {
        self.id = id.uuidString.lowercased()
    }

    /// The download of a file with this name; nil for any other name.
    static func owner(of name: String) -> UUID? {
        let text = name.prefix { $0 != "." }
        guard let id = UUID(uuidString: String(text)), text == id.uuidString.lowercased() else {
            return nil
        }
        let names = DownloadNames(id)
        return [names.part, names.origin, names.fresh, names.published].contains(name) ? id : nil
    }
}

/// Converts identifiers to file names.
enum FileName {

    /// A unique name for each identifier that is never hidden, `.`, `..` or one of the daemon's own names.
    ///
    /// Identifiers contain no `%` and no `~`: `%` escapes a leading period, and `~` starts the daemon's own names.
    ///
    /// - Returns: Nil if the text is not a valid identifier.
    static func ofIdentifier(_ identifier: String) -> String? {
        guard Identifier.isValid(identifier) else {
            return nil
        }
        return identifier.hasPrefix(".") ? "%2E" + identifier.dropFirst() : identifier
    }
}

/// A mark next to published content, in the same directory: it shows that the content is complete.
struct PublishedMark: Hashable, Sendable {
    /// The name of the mark; identifiers never contain a `~`.
    static let name = "~whole"
    static let maximumBytes = 256

    /// The SHA-256 of the download.
    var sha256: [UInt8]
    /// The size on disk in bytes.
    var size: Int64

    var text: String { "\(sha256.hexadecimal)\n\(size)\n" }

    init(sha256: [UInt8], size: Int64) {
        self.sha256 = sha256
        self.size = size
    }

    /// - Returns: Nil if the text is incomplete.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, let sha256 = [UInt8](hexadecimal: lines[0]), let size = Int64(lines[1]), size >= 0
        else {
            return nil
        }
        self.init(sha256: sha256, size: size)
    }
}
