import FoundationEssentials

/// What a download's files are called. The names are ours, and never a server's.
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

    /// Whose file it is that has such a name; nil when it is none of ours.
    static func owner(of name: String) -> UUID? {
        let text = name.prefix { $0 != "." }
        guard let id = UUID(uuidString: String(text)), text == id.uuidString.lowercased() else {
            return nil
        }
        let names = DownloadNames(id)
        return [names.part, names.origin, names.fresh, names.published].contains(name) ? id : nil
    }
}
