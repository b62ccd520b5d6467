// Generated from Proto/till/v1/transaction.proto by `make proto`. Change that file instead.

import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension Payment: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__Payment> {
        unsafe till__v1__payment__init
    }

    init(fields: Till__V1__Payment) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            productID: String(field: fields.product_id),
            quantity: Int(fields.quantity),
            applicationUsername: fields.application_username_presence_case.rawValue == 4
                ? String(field: fields.application_username) : nil,
            requestData: fields.request_data_presence_case.rawValue == 5
                ? [UInt8](field: fields.request_data) : nil,
            discount: .optional(fields.discount, "discount"),
            simulatesAskToBuyInSandbox: Bool(field: fields.simulates_ask_to_buy_in_sandbox)
        )
    }

    func fill(_ fields: inout Till__V1__Payment, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.quantity = UInt32(clamping: quantity)
        if let applicationUsername {
            unsafe fields.application_username_presence_case.rawValue = 4
            unsafe fields.application_username = scratch.text(applicationUsername)
        }
        if let requestData {
            unsafe fields.request_data_presence_case.rawValue = 5
            unsafe fields.request_data = scratch.bytes(requestData)
        }
        unsafe fields.discount = scratch.message(discount)
        unsafe fields.simulates_ask_to_buy_in_sandbox = simulatesAskToBuyInSandbox.field
    }
}

extension PaymentDiscount: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__PaymentDiscount> {
        unsafe till__v1__payment_discount__init
    }

    init(fields: Till__V1__PaymentDiscount) throws(DecodingFailure) {
        try unsafe self.init(
            identifier: String(field: fields.identifier),
            keyIdentifier: String(field: fields.key_identifier),
            nonce: UUID(fields.nonce, "nonce"),
            signature: String(field: fields.signature),
            timestamp: Date(milliseconds: Int64(fields.timestamp_ms))
        )
    }

    func fill(_ fields: inout Till__V1__PaymentDiscount, _ scratch: borrowing Scratch) {
        unsafe fields.identifier = scratch.text(identifier)
        unsafe fields.key_identifier = scratch.text(keyIdentifier)
        unsafe fields.nonce = scratch.bytes(nonce.bytes)
        unsafe fields.signature = scratch.text(signature)
        unsafe fields.timestamp_ms = timestamp.milliseconds
    }
}

extension Transaction: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__Transaction> {
        unsafe till__v1__transaction__init
    }

    init(fields: Till__V1__Transaction) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            revision: fields.revision,
            state: TransactionState(fields.state.rawValue, "state"),
            payment: .required(fields.payment, "payment"),
            purchase: .optional(fields.purchase, "purchase"),
            error: .optional(fields.error, "error"),
            original: .optional(fields.original, "original"),
            blocker: .optional(fields.blocker.rawValue, "blocker"),
            deadline: fields.deadline_presence_case.rawValue == 10
                ? Date(milliseconds: Int64(fields.deadline_ms)) : nil,
            continues: .optional(fields.continues, "continues"),
            revocation: .optional(fields.revocation, "revocation"),
            subscription: .optional(fields.subscription, "subscription"),
            receipt: .optional(fields.receipt),
            downloads: Download.list(fields.downloads, fields.n_downloads, "downloads"),
            isFinished: Bool(field: fields.is_finished)
        )
    }

    func fill(_ fields: inout Till__V1__Transaction, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.revision = revision
        unsafe fields.state.rawValue = state.enumerator
        unsafe fields.payment = scratch.message(payment)
        unsafe fields.purchase = scratch.message(purchase)
        unsafe fields.error = scratch.message(error)
        unsafe fields.original = scratch.message(original)
        unsafe fields.is_finished = isFinished.field
        unsafe fields.blocker.rawValue = blocker?.enumerator ?? 0
        if let deadline {
            unsafe fields.deadline_presence_case.rawValue = 10
            unsafe fields.deadline_ms = deadline.milliseconds
        }
        unsafe fields.continues = scratch.bytes(continues?.bytes ?? [])
        unsafe fields.revocation = scratch.message(revocation)
        unsafe fields.subscription = scratch.message(subscription)
        unsafe fields.receipt = scratch.text(receipt ?? "")
        unsafe fields.n_downloads = downloads.count
        unsafe fields.downloads = scratch.messages(downloads)
    }
}

extension Revocation: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__Revocation> {
        unsafe till__v1__revocation__init
    }

    init(fields: Till__V1__Revocation) throws(DecodingFailure) {
        try unsafe self.init(
            date: Date(milliseconds: Int64(fields.date_ms)),
            reason: Reason(fields.reason.rawValue, "reason"),
            quantity: Int(fields.quantity)
        )
    }

    func fill(_ fields: inout Till__V1__Revocation, _ scratch: borrowing Scratch) {
        unsafe fields.date_ms = date.milliseconds
        unsafe fields.reason.rawValue = reason.enumerator
        unsafe fields.quantity = UInt32(clamping: quantity)
    }
}

extension SubscriptionTerm: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SubscriptionTerm> {
        unsafe till__v1__subscription_term__init
    }

    init(fields: Till__V1__SubscriptionTerm) throws(DecodingFailure) {
        try unsafe self.init(
            groupID: String(field: fields.group_id),
            startDate: Date(milliseconds: Int64(fields.start_ms)),
            expirationDate: Date(milliseconds: Int64(fields.expiration_ms)),
            isRenewal: Bool(field: fields.is_renewal),
            offer: .optional(fields.offer, "offer"),
            isUpgraded: Bool(field: fields.is_upgraded),
            collapsedCount: Int(fields.collapsed_count)
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionTerm, _ scratch: borrowing Scratch) {
        unsafe fields.group_id = scratch.text(groupID)
        unsafe fields.start_ms = startDate.milliseconds
        unsafe fields.expiration_ms = expirationDate.milliseconds
        unsafe fields.is_renewal = isRenewal.field
        unsafe fields.offer = scratch.message(offer)
        unsafe fields.is_upgraded = isUpgraded.field
        unsafe fields.collapsed_count = UInt32(clamping: collapsedCount)
    }
}

extension AppliedOffer: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AppliedOffer> {
        unsafe till__v1__applied_offer__init
    }

    init(fields: Till__V1__AppliedOffer) throws(DecodingFailure) {
        try unsafe self.init(
            type: SubscriptionOffer.OfferType(fields.type.rawValue, "type"),
            id: .optional(fields.id),
            paymentMode: SubscriptionOffer.PaymentMode(fields.payment_mode.rawValue, "payment_mode")
        )
    }

    func fill(_ fields: inout Till__V1__AppliedOffer, _ scratch: borrowing Scratch) {
        unsafe fields.type.rawValue = type.enumerator
        unsafe fields.id = scratch.text(id ?? "")
        unsafe fields.payment_mode.rawValue = paymentMode.enumerator
    }
}

extension PurchaseIdentity: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__PurchaseIdentity> {
        unsafe till__v1__purchase_identity__init
    }

    init(fields: Till__V1__PurchaseIdentity) {
        unsafe self.init(
            transactionIdentifier: String(field: fields.transaction_identifier),
            transactionDate: Date(milliseconds: Int64(fields.transaction_date_ms))
        )
    }

    func fill(_ fields: inout Till__V1__PurchaseIdentity, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_identifier = scratch.text(transactionIdentifier)
        unsafe fields.transaction_date_ms = transactionDate.milliseconds
    }
}

extension OriginalTransaction: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__OriginalTransaction> {
        unsafe till__v1__original_transaction__init
    }

    init(fields: Till__V1__OriginalTransaction) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            purchase: PurchaseIdentity(
                transactionIdentifier: String(field: fields.transaction_identifier),
                transactionDate: Date(milliseconds: Int64(fields.transaction_date_ms))
            )
        )
    }

    func fill(_ fields: inout Till__V1__OriginalTransaction, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.transaction_identifier = scratch.text(purchase.transactionIdentifier)
        unsafe fields.transaction_date_ms = purchase.transactionDate.milliseconds
    }
}

extension PaymentError: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__PaymentError> {
        unsafe till__v1__payment_error__init
    }

    init(fields: Till__V1__PaymentError) throws(DecodingFailure) {
        try unsafe self.init(
            Code(rawValue: Int(fields.code)),
            String(field: fields.message),
            moneyMoved: MoneyMoved(fields.money_moved.rawValue, "money_moved"),
            retry: RetrySafety(fields.retry.rawValue, "retry"),
            reason: FailureReason(fields.reason.rawValue, "reason"),
            providerCode: .optional(fields.provider_code)
        )
    }

    func fill(_ fields: inout Till__V1__PaymentError, _ scratch: borrowing Scratch) {
        unsafe fields.code = Int32(clamping: code.rawValue)
        unsafe fields.message = scratch.text(message)
        unsafe fields.money_moved.rawValue = moneyMoved.enumerator
        unsafe fields.retry.rawValue = retry.enumerator
        unsafe fields.provider_code = scratch.text(providerCode ?? "")
        unsafe fields.reason.rawValue = reason.enumerator
    }
}
