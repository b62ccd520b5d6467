import FoundationEssentials
import TillEngine
import TillModel

/// What a row of a transaction keeps in columns, because queries or people ask for it.
struct TransactionColumns {
    var key: Int64
    var queue: Int64
    var id: UUID
    var state: TransactionState
    var revision: UInt64
    var productID: String
    var createdAt: Date
    /// When its wait for a person ends; nil in a final state.
    var deadline: Date?
    /// Of its sale.
    var amount: Int64?
    var currency: String?

    init(_ record: TransactionRecord) {
        key = record.key
        queue = record.queue
        id = record.id
        state = record.state
        revision = record.revision
        productID = record.payment.productID
        createdAt = record.createdAt.roundedToMilliseconds
        deadline = record.state.isFinal ? nil : record.deadline?.roundedToMilliseconds
        amount = record.sale?.amount
        currency = record.sale?.currency
    }

    /// Reads the columns, or names them.
    init(_ coder: inout some ColumnCoder) throws {
        key = try coder.integer("key", nil)
        queue = try coder.integer("queue", nil)
        id = try coder.uuid("id", nil)
        state = try coder.choice("state", nil)
        revision = try coder.revision("revision", nil)
        productID = try coder.text("product_id", nil)
        createdAt = try coder.date("created_at", nil)
        deadline = try coder.dateIfPresent("deadline", nil)
        amount = try coder.integerIfPresent("amount", nil)
        currency = try coder.textIfPresent("currency", nil)
    }

    /// The columns of a transaction `t`.
    static let selection = ColumnWriter.selection { _ = try TransactionColumns(&$0) }
}

extension TransactionRecord {
    /// The tags of a transaction's own fields end here; its charge follows.
    static let chargeTag = 32

    /// Describes the fields of a transaction that have no column. Its receipt, its charge and its history are not among
    /// them. Tags of up to 15 take one byte, so frequent fields have those.
    init(_ coder: inout some FieldCoder, _ columns: TransactionColumns, _ value: Self?) throws {
        let isFinal = columns.state.isFinal
        self.init(
            key: columns.key,
            queue: columns.queue,
            id: columns.id,
            payment: Payment(id: columns.id, productID: columns.productID),
            productType: try coder.choiceIfPresent(1, value?.productType),
            state: columns.state,
            revision: columns.revision,
            createdAt: columns.createdAt,
            purchasedAt: try coder.dateIfPresent(2, value?.purchasedAt),
            finishedAt: try coder.dateIfPresent(3, value?.finishedAt),
            error: try coder.valueIfPresent(4, value?.error),
            original: try coder.valueIfPresent(5, value?.original),
            repeats: try coder.integerIfPresent(6, value?.repeats),
            isEntitlement: try coder.flag(7, value?.isEntitlement),
            blocker: try coder.choiceIfPresent(8, value?.blocker),
            deadline: try coder.dateIfPresent(9, isFinal ? value?.deadline : nil) ?? columns.deadline,
            continues: try coder.uuidIfPresent(10, value?.continues),
            isInterrupted: try coder.flag(11, value?.isInterrupted),
            offer: try coder.valueIfPresent(12, value?.offer),
            sale: try coder.nestedIfPresent(13, value?.sale) { try SaleRecord(&$0, columns, $1) },
            term: try coder.valueIfPresent(14, value?.term),
            revocation: try coder.valueIfPresent(15, value?.revocation),
            isRevocationPending: try coder.flag(16, value?.isRevocationPending),
            hasDownloads: try coder.flag(17, value?.hasDownloads)
        )
        payment.id = try coder.uuidIfPresent(18, value?.payment.id.unless(columns.id)) ?? columns.id
        payment.quantity = try coder.intIfPresent(19, value?.payment.quantity.unless(1)) ?? 1
        payment.applicationUsername = try coder.textIfPresent(20, value?.payment.applicationUsername)
        payment.requestData = try coder.bytesIfPresent(21, value?.payment.requestData)
        payment.discount = try coder.valueIfPresent(22, value?.payment.discount)
        payment.simulatesAskToBuyInSandbox = try coder.flag(23, value?.payment.simulatesAskToBuyInSandbox)
        openDisputes = try coder.texts(24, value?.openDisputes)
    }
}

extension PaymentDiscount: Storable {
    init(_ coder: inout some FieldCoder, _ value: Self?) throws {
        self.init(
            identifier: try coder.text(1, value?.identifier),
            keyIdentifier: try coder.text(2, value?.keyIdentifier),
            nonce: try coder.uuid(3, value?.nonce),
            signature: try coder.text(4, value?.signature),
            timestamp: try coder.date(5, value?.timestamp)
        )
    }
}

extension PaymentError: Storable {
    init(_ coder: inout some FieldCoder, _ value: Self?) throws {
        self.init(
            try coder.choice(1, value?.code),
            try coder.text(2, value?.message),
            moneyMoved: try coder.choice(3, value?.moneyMoved),
            retry: try coder.choice(4, value?.retry),
            reason: try coder.choice(5, value?.reason),
            providerCode: try coder.textIfPresent(6, value?.providerCode)
        )
    }
}

extension OriginalRecord: Storable {
    init(_ coder: inout some FieldCoder, _ value: Self?) throws {
        self.init(
            key: try coder.integer(1, value?.key),
            id: try coder.uuid(2, value?.id),
            purchasedAt: try coder.date(3, value?.purchasedAt)
        )
    }
}

extension AppliedOffer: Storable {
    init(_ coder: inout some FieldCoder, _ value: Self?) throws {
        self.init(
            type: try coder.choice(1, value?.type),
            id: try coder.textIfPresent(2, value?.id),
            paymentMode: try coder.choice(3, value?.paymentMode)
        )
    }
}

extension SaleRecord {
    fileprivate init(_ coder: inout some FieldCoder, _ columns: TransactionColumns, _ value: Self?) throws {
        guard let amount = columns.amount, let currency = columns.currency else {
            throw UnreadableField()
        }
        self.init(
            amount: amount,
            currency: currency,
            storefront: try coder.valueIfPresent(1, value?.storefront),
            offerPeriod: try coder.textIfPresent(2, value?.offerPeriod)
        )
    }
}

extension Storefront: Storable {
    init(_ coder: inout some FieldCoder, _ value: Self?) throws {
        self.init(
            countryCode: try coder.text(1, value?.countryCode),
            identifier: try coder.text(2, value?.identifier)
        )
    }
}

extension TermRecord: Storable {
    init(_ coder: inout some FieldCoder, _ value: Self?) throws {
        self.init(
            subscription: try coder.integer(1, value?.subscription),
            groupID: try coder.text(2, value?.groupID),
            start: try coder.date(3, value?.start),
            end: try coder.date(4, value?.end),
            isRenewal: try coder.flag(5, value?.isRenewal),
            isUpgraded: try coder.flag(6, value?.isUpgraded)
        )
    }
}

extension Revocation: Storable {
    init(_ coder: inout some FieldCoder, _ value: Self?) throws {
        self.init(
            date: try coder.date(1, value?.date),
            reason: try coder.choice(2, value?.reason),
            quantity: try coder.int(3, value?.quantity)
        )
    }
}
