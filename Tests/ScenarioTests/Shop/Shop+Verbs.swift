import Foundation
import Glibc
import ProcessTesting
import Testing

/// The most frequent commands of the tests.
extension Shop {
    /// Buys, and returns the outcome, or with `--no-wait` the initial state.
    @discardableResult
    func buy(
        _ product: String,
        _ options: String...,
        exits status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TransactionLine {
        try await buy(product, options, exits: status, sourceLocation: sourceLocation)
    }

    @discardableResult
    func buy(
        _ product: String,
        _ options: [String],
        exits status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TransactionLine {
        try await run(["buy", product] + options, exits: status, sourceLocation).one(sourceLocation: sourceLocation)
    }

    /// Waits for the outcome of a payment that was added before.
    func outcome(
        of transaction: TransactionLine,
        _ options: String...,
        exits status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TransactionLine {
        let username = transaction.applicationUsername.map { ["--username", $0] } ?? []
        let payment = ["--payment-id", transaction.id, "--quantity", "\(transaction.quantity)"]
        return try await run(
            ["buy", transaction.productID] + payment + username + options,
            exits: status,
            sourceLocation
        ).one(sourceLocation: sourceLocation)
    }

    func set(_ settings: String...) async throws {
        _ = try await run(["settings", "set"] + settings, #_sourceLocation)
    }

    func advance(_ span: String) async throws {
        try await till("clock", "advance", span)
    }

    /// Advances the clock to just after a date in `till`'s format.
    func advance(past date: String) async throws {
        let clock: ClockLine = try await till("clock").one()
        let seconds = try Timestamp.date(date).timeIntervalSince(Timestamp.date(clock.now))
        try await advance("\(Int(max(0, seconds)) + 1)s")
    }

    /// All transactions of the queue, including finished ones.
    func transactions() async throws -> [TransactionLine] {
        try await till("transactions", "--all").all()
    }

    func requests() async throws -> [RequestLine] {
        try await till("requests").all()
    }

    /// The transactions of all applications that need an operator's attention.
    func found(_ attention: String) async throws -> [TransactionLine] {
        try await till("find", "--attention", attention).all(FoundLine.self).map(\.transaction)
    }

    func entitlements() async throws -> [EntitlementLine] {
        try await till("entitlements").all()
    }

    /// The status of the account's only subscription.
    func subscription(sourceLocation: SourceLocation = #_sourceLocation) async throws -> SubscriptionLine {
        try await till("subscriptions", sourceLocation: sourceLocation).one(sourceLocation: sourceLocation)
    }

    /// The callbacks that a new observer receives, up to the end of the initial delivery.
    func callbacks() async throws -> [CallbackLine] {
        let watcher = try start(["watch"])
        try await until("the initial delivery does not end") {
            try watcher.printed.text.contains(CallbackLine.initialDeliveryEnded)
        }
        return try await end(watcher).filter { $0.callback != CallbackLine.initialDeliveryEnded }
    }

    /// Ends a `till watch`, and returns everything that it printed.
    func end(_ watcher: RunningCommand) async throws -> [CallbackLine] {
        watcher.process.signal(SIGTERM)
        try #require(await watcher.process.exit() == .status(0))
        return try watcher.printed.all()
    }

    /// The provider's record of charges and refunds.
    func record() throws -> [RecordLine] {
        let text = try String(contentsOfFile: "\(site.state)/simulated-charges.jsonl", encoding: .utf8)
        return try Printed(text: text).all()
    }

    /// Expects that `tilld reconcile` finds no difference between the books of the stopped daemon and the provider's.
    func expectThatTheBooksAgree() async throws {
        let log = "reconcile"
        let process = try site.start(
            log,
            Binaries.daemon,
            ["reconcile", "--state", site.state, "--json"],
            log: "\(log).out",
            errors: "\(log).err"
        )
        let exit = await process.exit()
        let command = RunningCommand(process: process, output: site.path("\(log).out"), errors: site.path("\(log).err"))
        let printed = try command.printed
        #expect(exit == .status(0), "the books disagree: \(printed.text)\(printed.errors)")
        let lines = try printed.all(ReconciliationLine.self)
        #expect(lines.count == Set(try record().filter { $0.refundID == nil }.map(\.id)).count)
    }
}
