import FoundationEssentials
import TillModel

/// What receipts say, from what the ledger holds.
extension PaymentEngine {
    /// - Parameter ledger: Nil before the commit, for a transaction that needs nothing but its own row.
    func receiptFacts(
        _ transaction: TransactionRecord,
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
            storefront: transaction.pricedStorefront ?? presentStorefront,
            date: date
        )
    }

    /// The storefront that prices are of now.
    var presentStorefront: Storefront {
        catalogue.storefront(countryCode: settings.storefront)
    }

    /// What a product costs for a price, as receipts say it.
    func sale(_ price: PurchasePrice, of product: Product?) -> SaleRecord {
        SaleRecord(
            amount: price.amount,
            currency: price.currency,
            storefront: presentStorefront,
            offerPeriod: price.offer.flatMap { product?.offer($0) }?.length
        )
    }

    /// What a renewal costs. Its storefront is the one of the period before while the same product goes on, as its price
    /// is; another product is priced by the present storefront.
    func sale(_ payment: SubscriptionRenewal.Payment, after latest: TransactionRecord?) -> SaleRecord {
        let isSameProduct = latest?.payment.productID == payment.productID
        let storefront = isSameProduct ? latest?.pricedStorefront : nil
        let offered = payment.offer.flatMap { product(payment.productID)?.offer($0) }?.length
        return SaleRecord(
            amount: payment.amount,
            currency: payment.currency,
            storefront: storefront ?? presentStorefront,
            offerPeriod: payment.offer == nil
                ? nil : offered ?? (latest?.offer == payment.offer ? latest?.sale?.offerPeriod : nil)
        )
    }

    /// The subscription's period that a receipt names, so that none is without an end: the one that the transaction pays
    /// for, else the one that it repeats, else none at all, which ends as it begins.
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
        let charged = try ledger.charge(forTransaction: transaction.key)?.exclusivity
        let group =
            charged.flatMap(SubscriptionPurchase.group(ofExclusivity:))
            ?? soldProduct(transaction.payment.productID)?.subscription?.groupID
        return group.map { ReceiptFacts.Period(groupID: $0, end: transaction.purchaseDate, lineItem: lineItem) }
    }

    /// How much of the price went back for what was revoked; of a copy, for the purchase that it repeats.
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
    /// The storefront of its price; of a transaction of an older Till, the one that its receipt names.
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
    /// What a purchase of an older Till costs, whose price is its charge's alone.
    init?(_ charge: ChargeRecord) {
        guard let paid = ReceiptFacts.Paid(charge) else {
            return nil
        }
        self.init(amount: paid.amount, currency: paid.currency)
    }
}
