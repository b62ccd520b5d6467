import FoundationEssentials
import TillModel

/// Which of the queue's downloads a verb is about.
enum DownloadSelection {
    case all
    case ids([IdentityPrefix])
    case transactions(Set<UUID>)

    /// The downloads, each once: of identities in the order given, else in the order of the list.
    func selected(from list: [Download]) throws(TillError) -> [Download] {
        switch self {
        case .all:
            return list
        case .transactions(let ids):
            let found = list.filter { ids.contains($0.transactionID) }
            guard !found.isEmpty else {
                throw TillError(.notFound, "The transaction has no downloads.")
            }
            return found
        case .ids(let prefixes):
            var found: [Download] = []
            for prefix in prefixes {
                let download = try Self.download(prefix, in: list)
                if !found.contains(where: { $0.id == download.id }) {
                    found.append(download)
                }
            }
            return found
        }
    }

    private static func download(_ prefix: IdentityPrefix, in list: [Download]) throws(TillError) -> Download {
        let matches = list.filter { prefix.matches($0.id) }
        guard let first = matches.first else {
            throw TillError(.notFound, "The queue has no download \(prefix.text); till downloads lists them.")
        }
        if matches.count > 1 {
            throw TillError(
                .invalidArgument,
                "\(prefix.text) names more than one download, \(first.id.text) and \(matches[1].id.text); give more of it."
            )
        }
        return first
    }
}
