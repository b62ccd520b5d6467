public import Foundation
public import StoreKit
import TillEngine
import TillModel

extension SKTestSession {
    /// The page size when reading all transactions.
    private static let page = 256

    /// Returns all transactions, oldest first, including failed, pending, restored and finished ones
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/alltransactions()).
    public func allTransactions() -> [SKTestTransaction] {
        let numbering = server.numbering
        let all = try? server.read { ledger in
            try Self.records(ledger).map { record in
                let subscription = try record.term.flatMap { try ledger.subscription(key: $0.subscription) }
                return SKTestTransaction(record, subscription: subscription, numbering: numbering)
            }
        }
        return all ?? []
    }

    /// Deletes all transactions; the session continues with an empty queue
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/cleartransactions()).
    ///
    /// Clients are reconnected and find an empty queue.
    public func clearTransactions() {
        try? server.remove { Set(try Self.records($0).map(\.key)) }
    }

    /// Deletes a transaction with its restored copies and the renewals of a subscription that began with it
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/deletetransaction(identifier:)).
    ///
    /// Clients are reconnected and find a queue without it.
    public func deleteTransaction(identifier: UInt) throws {
        let key = try transaction(identifier).key
        try server.remove { _ in [key] }
    }

    /// Buys a product outside the application; the application must finish the purchase in its queue, as any other
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/buyproduct(productidentifier:)).
    ///
    /// - Throws: `invalidProductIdentifier`; `invalidAction` if the purchase failed. The failed purchase is in the
    ///   queue too.
    public func buyProduct(productIdentifier: String) throws {
        try checkProduct(productIdentifier)
        let payment = Payment(productID: productIdentifier)
        try server.performAndSettle { [queue = server.queue] in
            _ = try await $0.addPayment(payment, to: queue)
        }
        if let error = try server.read({ try $0.transaction(payment.id)?.error }) {
            throw SKTestError(.invalidAction, "The purchase failed. \(error.message)")
        }
    }

    /// Refunds a transaction immediately, with the reason "other"
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/refundtransaction(identifier:)).
    public func refundTransaction(identifier: UInt) throws {
        let id = try transaction(identifier).id
        try server.performAndSettle {
            _ = try await $0.refund(RefundOrder(transactionID: id), by: SessionServer.identity)
        }
    }

    /// Resolves an interrupted purchase, which another transaction then completes, or pays for a renewal in billing
    /// retry
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/resolveissuefortransaction(identifier:)).
    public func resolveIssueForTransaction(identifier: UInt) throws {
        let id = try transaction(identifier).id
        try server.performAndSettle { _ = try await $0.resolve(id, review: nil, by: SessionServer.identity) }
    }

    /// Approves a purchase that is waiting for approval
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/approveasktobuytransaction(identifier:)).
    public func approveAskToBuyTransaction(identifier: UInt) throws {
        try answerAskToBuy(identifier, approves: true)
    }

    /// Declines a purchase that is waiting for approval; it fails
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/declineasktobuytransaction(identifier:)).
    public func declineAskToBuyTransaction(identifier: UInt) throws {
        try answerAskToBuy(identifier, approves: false)
    }

    private func answerAskToBuy(_ identifier: UInt, approves: Bool) throws {
        let id = try transaction(identifier).id
        let approver = Approver(
            uid: SessionServer.identity.uid,
            account: server.queue.account,
            approvesForOthers: true
        )
        try server.performAndSettle { engine in
            try await engine.answer(
                id,
                kind: .approval,
                approves: approves,
                reason: SessionServer.identity.reason,
                by: approver
            )
        }
    }

    func transaction(_ identifier: UInt) throws(SKTestError) -> TransactionRecord {
        let key = Int64(exactly: identifier).flatMap(server.numbering.key(ofNumber:))
        guard let record = try server.read({ ledger in try key.flatMap { try ledger.transaction(key: $0) } }) else {
            throw SKTestError(.noTransactionFound, "The session has no transaction \(identifier).")
        }
        return record
    }

    func checkProduct(_ identifier: String) throws(SKTestError) {
        guard server.catalogue.productIDs.contains(identifier) else {
            throw SKTestError(.invalidProductIdentifier, "The configuration has no product \(identifier).")
        }
    }

    /// Returns the transactions of all queues.
    private static func records(_ ledger: any LedgerReader) throws -> [TransactionRecord] {
        var records: [TransactionRecord] = []
        while true {
            let filter = TransactionFilter()
            let next = try ledger.transactions(matching: filter, afterKey: records.last?.key ?? 0, limit: page)
            records += next
            guard next.count == page else {
                return records
            }
        }
    }
}

/// A snapshot of a session's transaction (https://developer.apple.com/documentation/storekittest/sktesttransaction).
public final class SKTestTransaction: NSObject, Sendable {
    /// Whether the transaction's subscription will renew.
    public let autoRenewingEnabled: Bool
    /// The date of the refund or revocation.
    public let cancelDate: Date?
    /// The end of the period that it paid for.
    public let expirationDate: Date?
    /// Whether it is waiting for ``SKTestSession/resolveIssueForTransaction(identifier:)``.
    public let hasPurchaseIssue: Bool
    /// The same number as the `transactionIdentifier` of an `SKPaymentTransaction`.
    public let identifier: UInt
    /// The identifier of the first purchase, or its own if it is the first.
    public let originalTransactionIdentifier: UInt
    /// Whether it is waiting for approval.
    public let pendingAskToBuyConfirmation: Bool
    public let productIdentifier: String
    /// The date of the purchase; for a renewal, the start of its period.
    public let purchaseDate: Date
    public let state: SKPaymentTransactionState
    /// Whether the subscriber was asked to agree to a higher price and has not answered.
    public let isPendingPriceIncreaseConsent: Bool

    init(_ record: TransactionRecord, subscription: SubscriptionRecord?, numbering: IdentifierNumbering) {
        let isLatest = subscription?.latestKey == record.key
        let isUnpaid = subscription?.state == .inBillingRetryPeriod || subscription?.state == .inGracePeriod
        autoRenewingEnabled = subscription.map { $0.willRenew && !$0.hasEnded } ?? false
        cancelDate = record.revocation?.date
        expirationDate = record.term?.end
        hasPurchaseIssue = record.isInterrupted || record.blocker == .resolution || (isLatest && isUnpaid)
        identifier = UInt(clamping: numbering.number(ofKey: record.key))
        originalTransactionIdentifier = UInt(clamping: numbering.number(ofKey: record.asOriginal.key))
        pendingAskToBuyConfirmation = record.blocker == .approval
        productIdentifier = record.payment.productID
        purchaseDate = record.term?.start ?? record.purchaseDate
        state = SKPaymentTransactionState(rawValue: record.state.rawValue) ?? .purchasing
        isPendingPriceIncreaseConsent = isLatest && subscription?.priceConsent == .pending
        super.init()
    }
}
