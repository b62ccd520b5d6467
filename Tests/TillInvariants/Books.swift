package import TillEngine
package import TillModel

/// The final records: the ledger's rows and the provider's record.
package struct Books: Sendable {
    /// A queue's rows.
    package struct Queue: Sendable {
        package var name: QueueName
        /// The numbering of the transactions in the ledger.
        package var numbering: LedgerNumbering
        package var transactions: [TransactionRecord]
        /// The ends of restores that are still in the change log.
        package var events: [RestoreEnd]
        /// The restores to which these events belong.
        package var restores: [RestoreRecord]
        /// Restores that processes saw ending, and whose ends the change log has dropped.
        package var droppedRestores: [RestoreRecord]
        package var downloads: [DownloadRecord]
        package var subscriptions: [SubscriptionRecord]

        package init(
            name: QueueName,
            numbering: LedgerNumbering = .plain,
            transactions: [TransactionRecord] = [],
            events: [RestoreEnd] = [],
            restores: [RestoreRecord] = [],
            droppedRestores: [RestoreRecord] = [],
            downloads: [DownloadRecord] = [],
            subscriptions: [SubscriptionRecord] = []
        ) {
            self.name = name
            self.numbering = numbering
            self.transactions = transactions
            self.events = events
            self.restores = restores
            self.droppedRestores = droppedRestores
            self.downloads = downloads
            self.subscriptions = subscriptions
        }
    }

    /// An offer of the store.
    package struct Offer: Sendable {
        /// The price of each country.
        package var prices: Set<Price>
        /// The number of periods at that price.
        package var periods: Int

        package init(prices: Set<Price>, periods: Int) {
            self.prices = prices
            self.periods = periods
        }
    }

    package var queues: [Queue]
    package var charges: [ChargeRecord]
    /// Restores of all queues that have not ended.
    package var runningRestores: [RestoreRecord]
    package var provider: [ProviderCharge]
    /// The prices of one unit without an offer, by product: one for each country.
    package var prices: [String: Set<Price>]
    /// The offers of each product.
    package var offers: [String: [AppliedOffer: Offer]] = [:]
    /// Whether charges may have been given up, for example after a day without an answer or a jump of the clock. Then
    /// it is unknown whether money moved, and an operator must resolve the charge.
    package var mayNeedReview = false
    /// The audit log of operators' acts.
    package var audit: [AuditLink] = []
    /// The settings that operators have changed, by name.
    package var settings: [String: String] = [:]
    /// The refunds, by the key of their transaction.
    package var refunds: [Int64: [RefundRecord]] = [:]
    /// The facts of signed receipts; empty if the signer did not keep them.
    package var receipts: [SignedReceipt: ReceiptFacts] = [:]
    /// Whether receipts may have been removed that nothing needs any more.
    package var mayBePruned = false
    /// The content under the final names of downloads.
    package var published: [PublishedContent] = []
    /// The hosted content, by identifier.
    package var hosted: [String: Content] = [:]

    package init(
        queues: [Queue],
        charges: [ChargeRecord],
        runningRestores: [RestoreRecord],
        provider: [ProviderCharge],
        prices: [String: Set<Price>]
    ) {
        self.queues = queues
        self.charges = charges
        self.runningRestores = runningRestores
        self.provider = provider
        self.prices = prices
    }
}
