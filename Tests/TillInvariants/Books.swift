package import TillEngine
package import TillModel

/// What is written down at the end: the ledger's rows and the provider's record.
package struct Books: Sendable {
    /// A queue's rows.
    package struct Queue: Sendable {
        package var name: QueueName
        /// How the ledger identifies the transactions.
        package var numbering: LedgerNumbering
        package var transactions: [TransactionRecord]
        /// The ends of restores that are still in the change log.
        package var events: [RestoreEnd]
        /// The restores that the events end.
        package var restores: [RestoreRecord]
        /// Restores whose ends the change log has dropped, of those that processes saw the end of.
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

    /// An offer as the store makes it.
    package struct Offer: Sendable {
        /// The price of each country.
        package var prices: Set<Price>
        /// How many periods one who takes it up pays that for.
        package var periods: Int

        package init(prices: Set<Price>, periods: Int) {
            self.prices = prices
            self.periods = periods
        }
    }

    package var queues: [Queue]
    package var charges: [ChargeRecord]
    /// Restores of all queues that have no end.
    package var runningRestores: [RestoreRecord]
    package var provider: [ProviderCharge]
    /// What one piece may cost without an offer, by product: the price of each country.
    package var prices: [String: Set<Price>]
    /// The offers of each product.
    package var offers: [String: [AppliedOffer: Offer]] = [:]
    /// Whether charges may have been given up, as after a day without an answer, or a jump of the clock: then nobody
    /// knows whether money moved, and people have to look.
    package var mayNeedReview = false
    /// What operators did.
    package var audit: [AuditLink] = []
    /// What operators have set, by name.
    package var settings: [String: String] = [:]
    /// By the key of the transaction.
    package var refunds: [Int64: [RefundRecord]] = [:]
    /// What was signed; empty where nobody knows that.
    package var receipts: [SignedReceipt: ReceiptFacts] = [:]
    /// What lies under the final names of downloads.
    package var published: [PublishedContent] = []
    /// What the store hosts, by identifier.
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
