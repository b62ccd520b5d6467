import ArgumentParser
import TillClient

/// What the command line can be told to do.
protocol Verb: ParsableCommand {
    var common: CommonOptions { get }

    func run(_ console: Console) async throws
}

extension Verb {
    /// Uses a queue and closes it, and says of its errors what to do about them.
    ///
    /// - Parameter fallback: The application of a verb that concerns no queue.
    func withQueue(
        _ console: Console,
        fallback: String? = nil,
        _ body: (PaymentQueue) async throws -> Void
    ) async throws {
        let queue = try common.queue(console, fallback: fallback)
        do {
            try await body(queue)
        } catch {
            await queue.close()
            throw (error as? TillError).map { CommandFailure($0, socketPath: queue.configuration.socketPath) } ?? error
        }
        await queue.close()
    }
}
