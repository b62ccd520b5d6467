import FoundationEssentials

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
