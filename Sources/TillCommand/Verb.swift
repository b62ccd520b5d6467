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
    /// - Parameters:
    ///   - fallback: The application of a verb that concerns no queue.
    ///   - collapsesRenewals: Whether the newest renewal of a subscription stands for the older ones.
    func withQueue(
        _ console: Console,
        fallback: String? = nil,
        collapsesRenewals: Bool = false,
        _ body: (PaymentQueue) async throws -> Void
    ) async throws {
        var configuration = try common.configuration(application: common.application(console, fallback: fallback))
        configuration.collapsesRenewals = collapsesRenewals
        try await with(PaymentQueue(configuration), body)
    }

    /// Uses a connection for questions to people, as ``withQueue(_:fallback:collapsesRenewals:_:)`` uses a queue.
    func withAgent(_ body: (AuthorizationAgent) async throws -> Void) async throws {
        try await with(AuthorizationAgent(try common.configuration(application: Till.application)), body)
    }

    /// Uses a connection of who runs the store, as ``withQueue(_:fallback:collapsesRenewals:_:)`` uses a queue.
    ///
    /// - Parameter callTimeout: How long the daemon may take to be reached and to answer.
    func withOperator(
        callTimeout: Duration = CommonOptions.callTimeout,
        _ body: (TillOperator) async throws -> Void
    ) async throws {
        var configuration = try common.configuration(application: Till.application)
        configuration.callTimeout = callTimeout
        try await with(TillOperator(configuration), body)
    }

    private func with<Client: Connection>(_ client: Client, _ body: (Client) async throws -> Void) async throws {
        do {
            try await body(client)
        } catch {
            await client.close()
            throw (error as? TillError).map { CommandFailure($0, socketPath: client.configuration.socketPath) } ?? error
        }
        await client.close()
    }
}
