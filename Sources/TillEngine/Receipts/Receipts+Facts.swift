import FoundationEssentials
import TillModel

/// The facts in receipts, from what the ledger holds.
extension Receipts {
    /// - Parameter ledger: Nil before the commit, for a transaction that needs nothing but its own row.
    func facts(
        of transaction: TransactionRecord,
        in queue: QueueRecord,
        at date: Date,
        _ ledger: (any LedgerReader)?
    ) throws -> ReceiptFacts {
        ReceiptFacts(
            application: queue.name.application,
            queue: queue.key,
            numbering: numbering,
            transaction: transaction,
            period: try ledger.flatMap { try period(of: transaction, $0) },
            refund: try ledger.flatMap { try Self.refund(of: transaction, $0) },
            storefront: transaction.pricedStorefront ?? catalogue.storefront,
            date: date
        )
    }

    /// The facts of a subscription's renewal information.
    ///
    /// - Parameter latest: The transaction of the last period.
    func renewalFacts(_ record: SubscriptionRecord, latest: TransactionRecord?, at date: Date) -> RenewalFacts {
        var subscription = record
        subscription.state = record.state(at: date)
        if subscription.state == .expired, record.state != .expired {
            subscription.expire(.autoRenewDisabled)
        }
        let product = catalogue.product(record.renewalProductID)
        let price = subscription.willRenew ? RenewalPrice(record, product: product) : nil
        let offer = price?.offer?.offer
        return RenewalFacts(
            subscription: subscription,
            numbering: numbering,
            applicationUsername: latest?.payment.applicationUsername,
            price: price.map { ReceiptFacts.Paid(amount: $0.amount, currency: $0.currency) },
            offer: offer,
            offerPeriod: offer.flatMap { product?.offer($0)?.length },
            date: date
        )
    }

    /// The subscription's period that a receipt names, so that every receipt has an end: the period that the
    /// transaction pays for, else the one that it repeats, else an empty period that ends at its beginning.
    private func period(of transaction: TransactionRecord, _ ledger: any LedgerReader) throws -> ReceiptFacts.Period? {
        let source = transaction.repeats ?? (transaction.state == .restored ? transaction.original?.key : nil)
        let lineItem = source ?? transaction.key
        if let term = transaction.term {
            return ReceiptFacts.Period(term, lineItem: lineItem)
        }
        guard transaction.productType == .autoRenewableSubscription else {
            return nil
        }
        if let source, let term = try ledger.transaction(key: source)?.term {
            return ReceiptFacts.Period(term, lineItem: source)
        }
        let charged = try ledger.charge(forTransaction: transaction.key)?.exclusiveGroup
        let group =
            charged.flatMap(SubscriptionPurchase.subscriptionGroup(ofExclusiveGroup:))
            ?? catalogue.soldProduct(transaction.payment.productID)?.subscription?.groupID
        return group.map { ReceiptFacts.Period(groupID: $0, end: transaction.purchaseDate, lineItem: lineItem) }
    }

    /// How much of the price was given back for a revoked transaction; for a copy, of the purchase that it repeats.
    private static func refund(
        of transaction: TransactionRecord,
        _ ledger: any LedgerReader
    ) throws -> ReceiptFacts.Refund? {
        guard transaction.revocation != nil else {
            return nil
        }
        let refunds = try ledger.refunds(ofTransaction: transaction.repeats ?? transaction.key)
        let quantity = refunds.filter { $0.state == .succeeded && !$0.keepsMoney }.reduce(0) { $0 + $1.quantity }
        return quantity >= transaction.payment.quantity ? .whole : quantity > 0 ? .part : nil
    }
}

extension TransactionRecord {
    /// The storefront of its price; for a transaction of an older Till, the one that its receipt names.
    var pricedStorefront: Storefront? {
        sale?.storefront ?? receipt?.storefront
    }
}

extension SignedReceipt {
    private struct NamedStorefront: Decodable {
        var storefront: String
        var storefrontId: String?
    }

    /// Nil for a receipt that cannot be read.
    fileprivate var storefront: Storefront? {
        guard let payload = body.utf8.split(separator: UInt8(ascii: ".")).first, let json = Base64URL.decode(payload),
            let named = try? JSONDecoder().decode(NamedStorefront.self, from: Data(json))
        else {
            return nil
        }
        return Storefront(countryCode: named.storefront, identifier: named.storefrontId ?? "")
    }
}

extension ReceiptFacts.Period {
    fileprivate init(_ term: TermRecord, lineItem: Int64) {
        self.init(groupID: term.groupID, end: term.end, isUpgraded: term.isUpgraded, lineItem: lineItem)
    }
}

extension ReceiptFacts.Paid {
    /// Nil for a charge that was never made.
    init?(_ charge: ChargeRecord) {
        guard charge.state == .succeeded || charge.request.amount == 0 else {
            return nil
        }
        self.init(amount: charge.request.amount, currency: charge.request.currency)
    }
}

extension SaleRecord {
    /// The price of a purchase of an older Till, which only its charge has.
    init?(_ charge: ChargeRecord) {
        guard let paid = ReceiptFacts.Paid(charge) else {
            return nil
        }
        self.init(amount: paid.amount, currency: paid.currency)
    }
}
