import ArgumentParser
import FoundationEssentials
import TillClient
import TillModel

/// The arguments that name downloads.
struct DownloadArguments: ParsableArguments {
    /// The error about arguments that name downloads in several ways, or in none.
    static let wrongCount = ValidationError("Name downloads, or use either --transaction or --all.")

    @Argument(
        help: ArgumentHelp("The downloads' UUIDs or UUID prefixes.", valueName: "id"),
        transform: IdentityPrefix.parse
    )
    var ids: [IdentityPrefix] = []

    @Option(
        name: .customLong("transaction"),
        help: ArgumentHelp("Select all downloads of this transaction.", valueName: "id"),
        transform: TransactionReference.parse
    )
    var transaction: TransactionReference?

    @Flag(help: "Select all downloads of the queue.")
    var all = false

    /// The number of ways in which the arguments name downloads.
    var count: Int {
        (ids.isEmpty ? 0 : 1) + (transaction == nil ? 0 : 1) + (all ? 1 : 0)
    }

    /// The selected downloads in their current state. Without arguments, these are all downloads.
    func downloads(of queue: PaymentQueue) async throws -> [Download] {
        try await selection(queue).selected(from: try await queue.downloads.collected())
    }

    private func selection(_ queue: PaymentQueue) async throws -> DownloadSelection {
        if let transaction {
            .transactions(Set(try await [transaction].ids(inQueue: queue.transactions)))
        } else {
            ids.isEmpty ? .all : .ids(ids)
        }
    }
}

/// A selection of the queue's downloads.
enum DownloadSelection {
    case all
    case ids([IdentityPrefix])
    case transactions(Set<UUID>)

    /// The selected downloads without duplicates. Named downloads have the given order, others that of the list.
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
            throw .ambiguous("download", prefix.text, first.id, matches[1].id)
        }
        return first
    }
}

extension AsyncSequence {
    /// All elements.
    func collected() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self {
            elements.append(element)
        }
        return elements
    }
}
