import ArgumentParser
import TillClient

/// A verb that tells downloads what to do.
protocol DownloadCommanding: Verb {
    var arguments: DownloadArguments { get }
}

extension DownloadCommanding {
    func validateArguments() throws {
        guard arguments.count == 1 else {
            throw ValidationError("Name downloads, or give either --transaction or --all instead.")
        }
    }

    /// Tells the named downloads, and prints how they are then.
    func command(
        _ console: Console,
        _ body: (PaymentQueue, [Download]) async throws -> [Download]
    ) async throws {
        try await withQueue(console) { queue in
            let named = try await arguments.downloads(of: queue)
            try console.print(named.isEmpty ? [] : try await body(queue, named), asJSON: common.json)
        }
    }
}
