import Foundation
import NIOConcurrencyHelpers
import StoreKit

/// An observer that records its callbacks in short form, one line per transaction: `updated coins purchased`.
// A lock protects all mutable state.
final class Recorder: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    typealias Hook = (SKPaymentQueue, [SKPaymentTransaction]) -> Void

    private struct State {
        var updated: [SKPaymentTransaction] = []
        var removed: [SKPaymentTransaction] = []
        var errors: [any Error] = []
        var groups: [Int] = []
        var downloads: [SKDownload] = []
    }

    private let state = NIOLockedValueBox(State())
    private let log = Log()
    private let finishes: Bool
    private let onUpdate: Hook
    private let onRemove: Hook

    /// - Parameters:
    ///   - finishes: Whether it finishes every transaction that can be finished.
    ///   - onUpdate: Called within the callback, before it is recorded.
    init(
        finishes: Bool = false,
        onUpdate: @escaping Hook = { _, _ in },
        onRemove: @escaping Hook = { _, _ in }
    ) {
        self.finishes = finishes
        self.onUpdate = onUpdate
        self.onRemove = onRemove
    }

    var calls: [String] { log.lines }
    /// The objects of all updates.
    var updated: [SKPaymentTransaction] { state.withLockedValue { $0.updated } }
    var removed: [SKPaymentTransaction] { state.withLockedValue { $0.removed } }
    /// The objects of all updates of downloads.
    var downloads: [SKDownload] { state.withLockedValue { $0.downloads } }
    /// How many transactions each update had.
    var groups: [Int] { state.withLockedValue { $0.groups } }
    /// The errors of failed restores.
    var errors: [any Error] { state.withLockedValue { $0.errors } }

    /// Waits until the call was recorded the given number of times.
    func saw(_ call: String, times: Int = 1) async {
        await until { $0.filter { $0 == call }.count >= times }
    }

    func until(_ isEnough: @escaping @Sendable ([String]) -> Bool) async {
        await log.until(isEnough)
    }

    private func record(_ lines: [String], _ change: (inout State) -> Void = { _ in }) {
        state.withLockedValue { change(&$0) }
        log.append(lines)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        onUpdate(queue, transactions)
        let lines = transactions.map { "updated \($0.payment.productIdentifier) \($0.transactionState.name)" }
        for transaction in transactions
        where finishes && transaction.transactionState != .purchasing && transaction.transactionState != .deferred {
            queue.finishTransaction(transaction)
        }
        record(lines) {
            $0.updated += transactions
            $0.groups.append(transactions.count)
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        onRemove(queue, transactions)
        record(transactions.map { "removed \($0.payment.productIdentifier)" }) { $0.removed += transactions }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        record(["restore failed"]) { $0.errors.append(error) }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        record(["restore finished"])
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        record(["storefront"])
    }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers ids: [String]) {
        record(["revoked \(ids.joined(separator: ", "))"])
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        record(downloads.map { "download \($0.contentIdentifier) \($0.state.name)" }) { $0.downloads += downloads }
    }
}

extension SKDownloadState {
    var name: String {
        switch self {
        case .waiting: "waiting"
        case .active: "active"
        case .paused: "paused"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        @unknown default: "\(rawValue)"
        }
    }
}

extension SKPaymentTransactionState {
    var name: String {
        switch self {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        @unknown default: "\(rawValue)"
        }
    }
}

extension SKMutablePayment {
    convenience init(_ product: String, quantity: Int = 1, username: String? = nil) {
        self.init()
        productIdentifier = product
        self.quantity = quantity
        applicationUsername = username
    }
}
