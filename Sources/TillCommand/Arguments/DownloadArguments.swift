import ArgumentParser
import FoundationEssentials
import TillClient
import TillModel

/// The downloads that a verb is about.
struct DownloadArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The downloads' UUIDs or their beginnings.", valueName: "id"),
        transform: IdentityPrefix.parse
    )
    var ids: [IdentityPrefix] = []

    @Option(
        name: .customLong("transaction"),
        help: ArgumentHelp("All downloads of this transaction.", valueName: "id"),
        transform: TransactionReference.parse
    )
    var transaction: TransactionReference?

    @Flag(help: "All downloads of the queue.")
    var all = false

    /// In how many ways they are named; one is right.
    var count: Int {
        (ids.isEmpty ? 0 : 1) + (transaction == nil ? 0 : 1) + (all ? 1 : 0)
    }

    /// The downloads, as they are now.
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
