import Foundation
import StoreKitTest
import Testing
import TillClient
import TillModel

@Suite(.timeLimit(.minutes(10))) struct ServerTests {
    @Test func onlyThisUserCanAccessTheSocket() throws {
        let path = try Store.session().client.socketPath
        let session = try Store.session()
        let directory = URL(filePath: session.client.socketPath).deletingLastPathComponent().path
        let mode = try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        #expect(FileManager.default.fileExists(atPath: session.client.socketPath))
        // That session was released, and its socket was deleted.
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aKilledServerKeepsItsTransactions() async throws {
        let session = try Store.session()
        let queue = session.queue
        let bought = try await queue.purchase(Payment(productID: Store.pro))
        try session.killServer()
        try session.killServer()
        #expect(!FileManager.default.fileExists(atPath: session.client.socketPath))
        expect(.serviceUnavailable) { try session.buyProduct(productIdentifier: Store.coins) }
        expect(.serviceUnavailable) { try session.advanceClock(by: 1) }
        #expect(session.summary == ["pro purchased"])
        try session.restartServer()
        try session.restartServer()
        try await queue.finish(bought)
        try session.buyProduct(productIdentifier: Store.coins)
        #expect(session.summary == ["pro purchased", "coins10 purchased"])
    }

    @Test func aWaitingApplicationContinuesAfterARestart() async throws {
        let session = try Store.session()
        var changes = session.queue.changes.makeAsyncIterator()
        while let change = try await changes.next(), change != .initialDeliveryEnded {}
        try session.killServer()
        while let change = try await changes.next() {
            if case .connection(.disconnected) = change { break }
        }
        try session.restartServer()
        try session.buyProduct(productIdentifier: Store.coins)
        #expect(try await Self.purchased(&changes) == [Store.coins])
    }

    @Test func aDroppedConnectionIsReestablished() async throws {
        let session = try Store.session()
        var changes = session.queue.changes.makeAsyncIterator()
        while let change = try await changes.next(), change != .initialDeliveryEnded {}
        try session.dropConnections()
        try session.buyProduct(productIdentifier: Store.coins)
        #expect(try await Self.purchased(&changes) == [Store.coins])
    }

    @Test func theClockContinuesAcrossARestart() throws {
        let session = try Store.session()
        try session.advanceClock(by: 31 * Store.day)
        let before = session.now
        try session.killServer()
        #expect(session.now >= before)
        try session.restartServer()
        session.clearTransactions()
        #expect(session.now >= before)
        try session.advanceClock(by: Store.day)
        #expect(session.now.timeIntervalSince(before) >= Store.day)
    }

    @Test func applicationsOfOneSessionHaveSeparateQueues() async throws {
        let session = try Store.session(application: "org.example.one")
        var other = session.patientClient
        #expect(other.application == "org.example.one")
        other.application = "org.example.two"
        _ = try await session.queue.purchase(Payment(productID: Store.coins))
        for try await transaction in PaymentQueue(other).transactions {
            Issue.record("The other queue has \(transaction.payment.productID).")
        }
    }

    @Test func operationsFromManyThreadsDoNotInterfere() async throws {
        let session = try Store.session()
        let other = try session.bought(Store.pro).identifier
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<32 {
                group.addTask {
                    switch number % 4 {
                    case 0: try session.dropConnections()
                    case 1: try number == 1 ? session.deleteTransaction(identifier: other) : session.restartServer()
                    default: try session.buyProduct(productIdentifier: Store.coins)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(session.summary == Array(repeating: "coins10 purchased", count: 16))
    }

    /// The products of the next change with a purchase.
    private static func purchased(_ changes: inout Changes.AsyncIterator) async throws -> [String] {
        while let change = try await changes.next() {
            if case .updated(let transactions) = change, transactions.contains(where: { $0.state == .purchased }) {
                return transactions.map(\.payment.productID)
            }
        }
        return []
    }
}
