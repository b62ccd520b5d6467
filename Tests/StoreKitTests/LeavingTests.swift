import Foundation
@testable import StoreKit
import Testing
import TillClient
import TillEngine
import TillModel
import TillTesting

/// Notifications that are waiting while their observers are removed.
@Suite(.timeLimit(.minutes(10))) struct LeavingTests {
    enum Exit: CaseIterable {
        case removed
        case died
    }

    @Test("S-45: a refund without observers is reported to the next observer", arguments: Exit.allCases)
    func aRefundWithoutObserversIsReportedLater(_ exit: Exit) async throws {
        try await StoreHarness.run { store in
            let next = try await observer(after: exit, havingBought: "pro", at: store) { _, _ in
                let id = try #require(try await store.stored().first?.id)
                try await store.operatorClient.refund(RefundOrder(transactionID: id), because: "test")
            }
            await next.saw("revoked pro")
        }
    }

    @Test("S-22: the end of a restore without observers is reported to the next observer", arguments: Exit.allCases)
    func anEndWithoutObserversIsReportedLater(_ exit: Exit) async throws {
        try await StoreHarness.run { store in
            let next = try await observer(after: exit, havingBought: "coins", at: store) { queue, connection in
                queue.restoreCompletedTransactions()
                let id = try #require(connection.withState { $0.restores.open.keys.first })
                while try await connection.client.isRunning(id) { try await Task.yieldUnlessCancelled() }
            }
            await next.saw("restore finished")
            #expect(next.calls == ["restore finished"])
        }
    }

    @Test("S-22: a failure without observers is reported to the next observer")
    func aFailureWaitsForAnObserver() async throws {
        try await StoreHarness.runUnserved { store in
            let queue = store.queue { $0.callTimeout = .milliseconds(1) }
            let connection = try #require(queue.connection?.daemonConnection)
            queue.restoreCompletedTransactions()
            while connection.withState({ !$0.restores.open.isEmpty }) { try await Task.yieldUnlessCancelled() }
            let observer = Recorder()
            queue.add(observer)
            await observer.saw("restore failed")
            #expect(observer.calls == ["restore failed"])
        }
    }

    /// Removes an observer while a notification is waiting, and adds another one after that notification reached no
    /// observer.
    private func observer(
        after exit: Exit,
        havingBought product: String,
        at store: StoreHarness,
        _ happen: (SKPaymentQueue, DaemonConnection) async throws -> Void
    ) async throws -> Recorder {
        let own = DispatchQueue(label: "own")
        let queue = store.queue(callbackQueue: CallbackQueue(queue: own))
        let connection = try #require(queue.connection?.daemonConnection)
        var leaving: Recorder? = Recorder()
        leaving.map { queue.add($0) }
        queue.add(SKMutablePayment(product))
        await leaving?.saw("updated \(product) purchased")
        // Finished by another process, so that its removal is the last change: nothing arrives after that.
        let bought = try #require(try await store.stored().first?.id)
        _ = try await store.engine.finishTransaction(bought, in: store.name)
        await leaving?.saw("removed \(product)")
        await connection.deliver { _ in }
        own.suspend()
        do {
            try await happen(queue, connection)
        } catch {
            own.resume()
            throw error
        }
        // After these answers, the change has arrived and is waiting to be reported.
        for _ in 0..<10 { _ = try? await connection.client.storefront() }
        if exit == .removed {
            leaving.map { queue.remove($0) }
        }
        leaving = nil
        while !queue.transactionObservers.isEmpty { try await Task.yieldUnlessCancelled() }
        own.resume()
        await connection.deliver { _ in }
        for _ in 0..<10 { _ = try? await connection.client.storefront() }
        let next = Recorder()
        queue.add(next)
        return next
    }
}

extension PaymentQueue {
    /// Whether the restore has not ended, even if the daemon has not received it.
    fileprivate func isRunning(_ id: UUID) async throws -> Bool {
        do throws(TillError) {
            return try await status(ofRestore: id).state == .running
        } catch {
            guard error.code == .notFound else {
                throw error
            }
            return true
        }
    }
}
