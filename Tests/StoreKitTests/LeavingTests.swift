import Foundation
@testable import StoreKit
import Testing
import TillClient
import TillEngine
import TillModel
import TillTesting

/// What waits to be told while its observers go.
@Suite(.timeLimit(.minutes(10))) struct LeavingTests {
    enum Exit: CaseIterable {
        case removed
        case died
    }

    @Test("S-45: a refund that was told to nobody is told to the next observer", arguments: Exit.allCases)
    func aRefundThatWasToldToNobodyComesAgain(_ exit: Exit) async throws {
        try await StoreHarness.run { store in
            let next = try await observer(after: exit, havingBought: "pro", at: store) { _, _ in
                let id = try #require(try await store.stored().first?.id)
                try await store.operatorClient.refund(RefundOrder(transactionID: id), because: "test")
            }
            await next.saw("revoked pro")
        }
    }

    @Test("S-22: a restore's end that was told to nobody is told to the next observer", arguments: Exit.allCases)
    func anEndThatWasToldToNobodyComesAgain(_ exit: Exit) async throws {
        try await StoreHarness.run { store in
            let next = try await observer(after: exit, havingBought: "coins", at: store) { queue, link in
                queue.restoreCompletedTransactions()
                let id = try #require(link.withState { $0.restores.open.keys.first })
                while try await link.client.isRunning(id) { try await Task.yieldUnlessCancelled() }
            }
            await next.saw("restore finished")
            #expect(next.calls == ["restore finished"])
        }
    }

    @Test("S-22: a failure that nobody was there to be told of is told to the next observer")
    func aFailureWaitsForAnObserver() async throws {
        try await StoreHarness.runUnserved { store in
            let queue = store.queue { $0.callTimeout = .milliseconds(1) }
            let link = try #require(queue.connection?.link)
            queue.restoreCompletedTransactions()
            while link.withState({ !$0.restores.open.isEmpty }) { try await Task.yieldUnlessCancelled() }
            let observer = Recorder()
            queue.add(observer)
            await observer.saw("restore failed")
            #expect(observer.calls == ["restore failed"])
        }
    }

    /// Has an observer go while what happens waits to be told, and another come once that was told to nobody.
    private func observer(
        after exit: Exit,
        havingBought product: String,
        at store: StoreHarness,
        _ happen: (SKPaymentQueue, StoreLink) async throws -> Void
    ) async throws -> Recorder {
        let own = DispatchQueue(label: "own")
        let queue = store.queue(delivery: Delivery(queue: own))
        let link = try #require(queue.connection?.link)
        var leaving: Recorder? = Recorder()
        leaving.map { queue.add($0) }
        queue.add(SKMutablePayment(product))
        await leaving?.saw("updated \(product) purchased")
        // By another process, so that its removal is the last that comes of it: nothing is on its way after that.
        let bought = try #require(try await store.stored().first?.id)
        _ = try await store.engine.finishTransaction(bought, in: store.name)
        await leaving?.saw("removed \(product)")
        await link.deliver { _ in }
        own.suspend()
        do {
            try await happen(queue, link)
        } catch {
            own.resume()
            throw error
        }
        // By the answers, what happened has come and waits to be told.
        for _ in 0..<10 { _ = try? await link.client.storefront() }
        if exit == .removed {
            leaving.map { queue.remove($0) }
        }
        leaving = nil
        while !queue.transactionObservers.isEmpty { try await Task.yieldUnlessCancelled() }
        own.resume()
        await link.deliver { _ in }
        for _ in 0..<10 { _ = try? await link.client.storefront() }
        let next = Recorder()
        queue.add(next)
        return next
    }
}

extension PaymentQueue {
    /// Whether the restore has not ended; also before the daemon has it.
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
