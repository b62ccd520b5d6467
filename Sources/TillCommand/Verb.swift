import ArgumentParser
import TillClient

/// A subcommand that does something.
protocol Verb: ParsableCommand {
    var common: CommonOptions { get }

    func run(_ console: Console) async throws
}

extension Verb {
    /// Opens a queue, runs `body`, and closes the queue. Errors become messages with advice.
    ///
    /// - Parameters:
    ///   - fallback: The application for a verb that uses no queue.
    ///   - collapsesRenewals: Whether the newest renewal of a subscription represents the older ones.
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

    /// Does the same with the connection of an authorisation agent. It names the user's application, if there is one: a
    /// policy may give rights for some applications only.
    func withAgent(_ console: Console, _ body: (AuthorizationAgent) async throws -> Void) async throws {
        let application = try common.application(console, fallback: Till.application)
        try await with(AuthorizationAgent(try common.configuration(application: application)), body)
    }

    /// Does the same with an operator's connection.
    func withOperator(_ console: Console, _ body: (TillOperator) async throws -> Void) async throws {
        let application = try common.application(console, fallback: Till.application)
        try await with(TillOperator(try common.configuration(application: application)), body)
    }

    /// Does the same with an operator's connection for a change, which is sent only once.
    ///
    /// An unreachable daemon is reported before the change is sent. A lost answer is reported with a warning.
    func changing(_ console: Console, _ body: (TillOperator) async throws -> Void) async throws {
        try await withOperator(console) { store in
            _ = try await store.clock()
            do {
                try await body(store)
            } catch let error as TillError where error.code == .unavailable || error.code == .deadlineExceeded {
                var failure = CommandFailure(error, socketPath: store.configuration.socketPath)
                failure.message = failure.message.map { "\($0) The change may have happened: check before a retry." }
                throw failure
            }
        }
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

/// A connection to the daemon of any kind.
private protocol Connection: Sendable {
    var configuration: ClientConfiguration { get }

    func close() async
}

extension AuthorizationAgent: Connection {}
extension PaymentQueue: Connection {}
extension TillOperator: Connection {}
