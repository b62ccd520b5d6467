import Foundation
import TillClient

/// Grants purchases and finishes their transactions.
actor PurchaseObserver: PaymentTransactionObserver {
    /// The state that the rest of the app waits for.
    struct Progress {
        var isInitialDeliveryEnded = false
        /// The delivered transactions that are in the queue.
        var unfinished: Set<UUID> = []
        /// The transactions that are purchased, failed or restored.
        var ended: Set<UUID> = []
        /// The number of restores that have finished or failed.
        var restoreCount = 0
    }

    private var grants: Grants
    private let finishesTransactions: Bool
    private let log: Log
    private(set) var progress = Progress()
    private var followers: [AsyncStream<Progress>.Continuation] = []

    init(grants: Grants, finishesTransactions: Bool, log: Log) {
        self.grants = grants
        self.finishesTransactions = finishesTransactions
        self.log = log
    }

    func paymentQueue(_ queue: PaymentQueue, updatedTransactions transactions: [Transaction]) async {
        for transaction in transactions {
            log("paymentQueue(_:updatedTransactions:)", transaction.summary)
            progress.unfinished.insert(transaction.id)
            if transaction.state.isFinal {
                await complete(transaction, in: queue)
                progress.ended.insert(transaction.id)
            }
        }
        tellFollowers()
    }

    func paymentQueue(_ queue: PaymentQueue, removedTransactions transactions: [Transaction]) async {
        for transaction in transactions {
            log("paymentQueue(_:removedTransactions:)", transaction.summary)
            progress.unfinished.remove(transaction.id)
            progress.ended.insert(transaction.id)
        }
        tellFollowers()
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: PaymentQueue, count: Int) async {
        log("paymentQueueRestoreCompletedTransactionsFinished(_:)", "\(count) restored")
        progress.restoreCount += 1
        tellFollowers()
    }

    func paymentQueue(
        _ queue: PaymentQueue,
        restoreCompletedTransactionsFailedWithError error: PaymentError
    ) async {
        log("paymentQueue(_:restoreCompletedTransactionsFailedWithError:)", error.summary)
        progress.restoreCount += 1
        tellFollowers()
    }

    func paymentQueueInitialDeliveryEnded(_ queue: PaymentQueue) async {
        log("initial delivery ended")
        progress.isInitialDeliveryEnded = true
        tellFollowers()
    }

    func paymentQueue(_ queue: PaymentQueue, didChange connection: ConnectionState) async {
        switch connection {
        case .connected: log("connected")
        case .disconnected(let reason): log("disconnected: \(reason)")
        }
    }

    /// Returns once the condition holds or the task is cancelled.
    func wait(until isOver: (Progress) -> Bool) async {
        let (changes, continuation) = AsyncStream.makeStream(of: Progress.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(progress)
        followers.append(continuation)
        for await progress in changes where isOver(progress) {
            return
        }
    }

    /// Grants first and then finishes, because a finished transaction is never delivered again.
    private func complete(_ transaction: Transaction, in queue: PaymentQueue) async {
        do {
            if transaction.state != .failed {
                try grants.grant(transaction)
            }
            if finishesTransactions {
                try await queue.finish(transaction)
            }
        } catch {
            // The transaction stays in the queue and is delivered again when the app attaches the next time.
            log("not finished: \(error)")
        }
    }

    private func tellFollowers() {
        followers.removeAll { follower in
            if case .terminated = follower.yield(progress) { true } else { false }
        }
    }
}

extension Transaction {
    /// Product and quantity, state, identifiers, and the error of a failure.
    var summary: String {
        let identity: [String?] = [
            "id=\(id.uuidString.lowercased())",
            purchase.map { "identifier=\($0.transactionIdentifier)" },
            "revision=\(revision)",
            original.map { "original=\($0.purchase.transactionIdentifier)" },
        ]
        let fields: [String?] = [
            "\(payment.productID) ×\(payment.quantity)",
            "\(state)",
            identity.compactMap(\.self).joined(separator: " "),
            error?.summary,
        ]
        return fields.compactMap(\.self).joined(separator: "  ")
    }
}

extension PaymentError {
    /// The code, whether money moved, whether a retry is safe, and the message.
    var summary: String {
        "error=\(code) moneyMoved=\(moneyMoved) retry=\(retry)  \(message)"
    }
}
