import FaultRuns
import Foundation
import ProcessTesting
import StoreKit
import TestValues
import Testing
import TillClient

/// Restores right after finishes, with a daemon that keeps running or is killed at the end of each restore.
@Suite(.serialized, .timeLimit(.minutes(180)))
struct RestoreRoundTests {
    static let products: Set = [TestStore.pro, "org.example.themes", "org.example.fonts"]
    static let roundsDefault = 300
    static let killRoundsDefault = 8

    /// The number of restores from `TILL_RESTORE_ROUNDS`, or of restores with a kill from `TILL_RESTORE_KILLS`.
    private static func chosen(_ variable: String) -> Int? {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
    }

    @Test func everyRestoreRightAfterFinishesIsComplete() async throws {
        try await Site.with { site in
            _ = try await site.startServingDaemon()
            let observer = try await restore(Self.chosen("TILL_RESTORE_ROUNDS") ?? Self.roundsDefault, at: site) {}
            #expect(observer.faults == [])
        }
    }

    @Test func everyRestoreIsCompleteAlthoughTheDaemonIsKilledAtEachEnd() async throws {
        var random = SplitMix64.fromEnvironment()
        print("Kills at the ends of restores; repeat them with TILL_TEST_SEED=\(random.seed)")
        try await Site.with { site in
            var daemon = try await site.startServingDaemon()
            let rounds = Self.chosen("TILL_RESTORE_KILLS") ?? Self.killRoundsDefault
            let observer = try await restore(rounds, at: site) {
                await Alarm.after(.microseconds(Int.random(in: 0...10_000, using: &random)))
                await daemon.killNow()
                daemon = try site.startDaemon()
            }
            #expect(observer.faults == [])
        }
    }

    /// Makes restores one directly after another, and returns their observer.
    ///
    /// - Parameter afterEnd: Called after each restore except the last, while the next restore is under way.
    private func restore(
        _ rounds: Int,
        at site: Site,
        afterEnd: () async throws -> Void
    ) async throws -> FinishingObserver {
        let client = site.queue()
        for product in Self.products {
            try await client.finish(try await client.purchase(Payment(productID: product)))
        }
        await client.close()
        let queue = SKPaymentQueue(
            connection: StoreConnection(
                ClientConfiguration(application: Site.application, socketPath: site.socket),
                receiptPath: site.path("receipt"),
                callbackQueue: CallbackQueue(queue: DispatchQueue(label: "restores"))
            )
        )
        let observer = FinishingObserver(products: Self.products, rounds: rounds)
        queue.add(observer)
        queue.restoreCompletedTransactions()
        for await _ in observer.ends where observer.rounds > 0 {
            try await afterEnd()
        }
        await queue.connection?.disconnect()
        print("Restores: \(rounds), incomplete or failed: \(observer.faults.count)")
        return observer
    }
}

/// Finishes everything at once, and restores again within the callback at the end of each restore.
// The properties change only on the queue of callbacks; the test reads single values.
private final class FinishingObserver: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    /// The ends of restores. The stream finishes after the last one.
    let ends: AsyncStream<Void>
    /// The number of restores left.
    private(set) var rounds: Int
    /// Restores that failed or were incomplete.
    private(set) var faults: [String] = []
    private let end: AsyncStream<Void>.Continuation
    private let products: Set<String>
    private var brought: Set<String> = []

    init(products: Set<String>, rounds: Int) {
        self.products = products
        self.rounds = rounds
        (ends, end) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .restored {
            brought.insert(transaction.payment.productIdentifier)
            queue.finishTransaction(transaction)
        }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        if brought != products {
            faults.append("With \(rounds) rounds left, a restore delivered \(brought.sorted()).")
        }
        next(queue)
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        faults.append("With \(rounds) rounds left, a restore failed: \(error)")
        next(queue)
    }

    private func next(_ queue: SKPaymentQueue) {
        brought = []
        rounds -= 1
        end.yield()
        if rounds > 0 {
            queue.restoreCompletedTransactions()
        } else {
            end.finish()
        }
    }
}
