// Generated from Proto/till/v1/operator.proto by `make proto`. Change that file instead.

import CTillMessages
package import FoundationEssentials
import ProtobufCodec
package import TillModel

/// Operator API for the store. Every call that changes something carries a reason of 1 to 256 bytes, which is recorded.
package enum OperatorMethod: String, ServiceMethod {
    /// The transactions of all queues that match the filter, the oldest first.
    case listTransactions = "ListTransactions"
    /// The reason for a transaction's state, and the actions that are possible.
    case explain = "Explain"
    /// Resolves an interruption, or states the outcome of an unknown charge.
    case resolve = "Resolve"
    /// Refunds a purchase or a part of it. Sending the same refund again is harmless.
    case refund = "Refund"
    /// Ends a subscription now. This and the next five name a subscription by any of its transactions.
    case expireSubscription = "ExpireSubscription"
    case renewSubscription = "RenewSubscription"
    case enableAutoRenew = "EnableAutoRenew"
    case disableAutoRenew = "DisableAutoRenew"
    case requestPriceConsent = "RequestPriceConsent"
    case answerPriceConsent = "AnswerPriceConsent"
    /// Offers a payment to an application: a promoted purchase.
    case promote = "Promote"
    case settings = "Settings"
    /// Makes all changes or none.
    case changeSettings = "ChangeSettings"
    case clock = "Clock"
    case advanceClock = "AdvanceClock"
    /// Compares the ledger's charges with the provider's, in pages.
    case reconcile = "Reconcile"
    /// Signs a transaction again from the ledger.
    case rebuildReceipt = "RebuildReceipt"
    /// The changes that operators made, the oldest first.
    case audit = "Audit"
    /// Invites the caller to the operator page.
    case openConsole = "OpenConsole"
    /// The daemon's metrics now; figures of the ledger are at most five seconds old.
    case metrics = "Metrics"
    /// The daemons that share the ledger.
    case hosts = "Hosts"
    /// A consistent copy of the ledger and of what belongs to it, while the daemon runs: the bytes of one file in
    /// order.
    case backup = "Backup"
    /// What was charged and given back, for accounting: charge by charge, each followed by its refunds.
    case export = "Export"

    package static let service = "till.v1.Operator"
}

extension FindTransactionsRequest: Call {
    package typealias Response = FindTransactionsResponse

    package static let path = MethodPath(OperatorMethod.listTransactions)
}

extension ExplainRequest: Call {
    package typealias Response = Explanation

    package static let path = MethodPath(OperatorMethod.explain)
}

extension ResolveRequest: Call {
    package typealias Response = ResolveResponse

    package static let path = MethodPath(OperatorMethod.resolve)
}

extension RefundRequest: Call {
    package typealias Response = RefundResponse

    package static let path = MethodPath(OperatorMethod.refund)
}

extension SubscriptionActionRequest: SharedCall {
    package typealias Response = SubscriptionActionResponse

    /// The methods that take this request.
    package enum Method: String, ServiceMethod {
        case expireSubscription = "ExpireSubscription"
        case renewSubscription = "RenewSubscription"
        case enableAutoRenew = "EnableAutoRenew"
        case disableAutoRenew = "DisableAutoRenew"

        package static let service = OperatorMethod.service
    }
}

extension RequestPriceConsentRequest: Call {
    package typealias Response = SubscriptionActionResponse

    package static let path = MethodPath(OperatorMethod.requestPriceConsent)
}

extension AnswerPriceConsentRequest: Call {
    package typealias Response = SubscriptionActionResponse

    package static let path = MethodPath(OperatorMethod.answerPriceConsent)
}

extension PromoteRequest: Call {
    package typealias Response = PromoteResponse

    package static let path = MethodPath(OperatorMethod.promote)
}

extension SettingsRequest: Call {
    package typealias Response = SettingsResponse

    package static let path = MethodPath(OperatorMethod.settings)
}

extension ChangeSettingsRequest: Call {
    package typealias Response = SettingsResponse

    package static let path = MethodPath(OperatorMethod.changeSettings)
}

extension ClockRequest: Call {
    package typealias Response = ClockReading

    package static let path = MethodPath(OperatorMethod.clock)
}

extension AdvanceClockRequest: Call {
    package typealias Response = ClockReading

    package static let path = MethodPath(OperatorMethod.advanceClock)
}

extension ReconcileRequest: Call {
    package typealias Response = ReconciliationPage

    package static let path = MethodPath(OperatorMethod.reconcile)
}

extension RebuildReceiptRequest: Call {
    package typealias Response = RebuildReceiptResponse

    package static let path = MethodPath(OperatorMethod.rebuildReceipt)
}

extension AuditRequest: Call {
    package typealias Response = AuditResponse

    package static let path = MethodPath(OperatorMethod.audit)
}

extension OpenConsoleRequest: Call {
    package typealias Response = ConsoleInvitation

    package static let path = MethodPath(OperatorMethod.openConsole)
}

extension MetricsRequest: Call {
    package typealias Response = MetricsResponse

    package static let path = MethodPath(OperatorMethod.metrics)
}

extension HostsRequest: Call {
    package typealias Response = HostsResponse

    package static let path = MethodPath(OperatorMethod.hosts)
}

extension BackupRequest: StreamingCall {
    package typealias Element = BackupResponse

    package static let path = MethodPath(OperatorMethod.backup)
}

extension ExportRequest: StreamingCall {
    package typealias Element = ExportResponse

    package static let path = MethodPath(OperatorMethod.export)
}

/// The values of `Review`.
package enum Review: Int, Hashable, Sendable, CaseIterable {
    case none = 0
    /// The provider charged.
    case charged = 1
    /// The provider did not charge.
    case notCharged = 2
}

/// `till.v1.FindTransactionsRequest`: the request of `ListTransactions`.
package struct FindTransactionsRequest: Hashable, Sendable {
    package var filter: TransactionFilter
    /// 1 to 32; 0 stands for 32.
    package var pageSize: Int
    /// The next_page_token of the page before; 0 for the first.
    package var pageToken: UInt64?

    package init(
        filter: TransactionFilter = TransactionFilter(),
        pageSize: Int = 0,
        pageToken: UInt64? = nil
    ) {
        self.filter = filter
        self.pageSize = pageSize
        self.pageToken = pageToken
    }
}

extension FindTransactionsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__FindTransactionsRequest> {
        unsafe till__v1__find_transactions_request__init
    }

    init(fields: Till__V1__FindTransactionsRequest) throws(DecodingFailure) {
        try unsafe self.init(
            filter: TransactionFilter(
                application: .optional(fields.application),
                account: .optional(fields.account),
                productID: .optional(fields.product_id),
                state: fields.state_presence_case.rawValue == 4
                    ? TransactionState(fields.state.rawValue, "state") : nil,
                attention: .optional(fields.attention.rawValue, "attention")
            ),
            pageSize: Int(fields.page_size),
            pageToken: fields.page_token == 0 ? nil : fields.page_token
        )
    }

    func fill(_ fields: inout Till__V1__FindTransactionsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.application = scratch.text(filter.application ?? "")
        unsafe fields.account = scratch.text(filter.account ?? "")
        unsafe fields.product_id = scratch.text(filter.productID ?? "")
        if let state = filter.state {
            unsafe fields.state_presence_case.rawValue = 4
            unsafe fields.state.rawValue = state.enumerator
        }
        unsafe fields.attention.rawValue = filter.attention?.enumerator ?? 0
        unsafe fields.page_size = UInt32(clamping: pageSize)
        unsafe fields.page_token = pageToken ?? 0
    }
}

/// `till.v1.FindTransactionsResponse`: the answer of `ListTransactions`.
package struct FindTransactionsResponse: Hashable, Sendable {
    package var transactions: [OperatorTransaction]
    /// 0 after the last page.
    package var nextPageToken: UInt64?

    package init(
        transactions: [OperatorTransaction],
        nextPageToken: UInt64? = nil
    ) {
        self.transactions = transactions
        self.nextPageToken = nextPageToken
    }
}

extension FindTransactionsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__FindTransactionsResponse> {
        unsafe till__v1__find_transactions_response__init
    }

    init(fields: Till__V1__FindTransactionsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transactions: OperatorTransaction.list(fields.transactions, fields.n_transactions, "transactions"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__FindTransactionsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_transactions = transactions.count
        unsafe fields.transactions = scratch.messages(transactions)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}

extension OperatorTransaction: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__OperatorTransaction> {
        unsafe till__v1__operator_transaction__init
    }

    init(fields: Till__V1__OperatorTransaction) throws(DecodingFailure) {
        try unsafe self.init(
            application: String(field: fields.application),
            account: String(field: fields.account),
            transaction: .required(fields.transaction, "transaction"),
            needsReview: Bool(field: fields.needs_review)
        )
    }

    func fill(_ fields: inout Till__V1__OperatorTransaction, _ scratch: borrowing Scratch) {
        unsafe fields.application = scratch.text(application)
        unsafe fields.account = scratch.text(account)
        unsafe fields.transaction = scratch.message(transaction)
        unsafe fields.needs_review = needsReview.field
    }
}

/// `till.v1.ExplainRequest`: the request of `Explain`.
package struct ExplainRequest: Hashable, Sendable {
    package var transactionID: UUID

    package init(
        transactionID: UUID
    ) {
        self.transactionID = transactionID
    }
}

extension ExplainRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ExplainRequest> {
        unsafe till__v1__explain_request__init
    }

    init(fields: Till__V1__ExplainRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id")
        )
    }

    func fill(_ fields: inout Till__V1__ExplainRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
    }
}

extension Explanation: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__Explanation> {
        unsafe till__v1__explanation__init
    }

    init(fields: Till__V1__Explanation) throws(DecodingFailure) {
        try unsafe self.init(
            application: String(field: fields.application),
            account: String(field: fields.account),
            transaction: .required(fields.transaction, "transaction"),
            sentence: String(field: fields.sentence),
            actions: [String](fields.actions, fields.n_actions),
            history: HistoryEntry.list(fields.history, fields.n_history, "history"),
            charges: ChargeSummary.list(fields.charges, fields.n_charges, "charges"),
            refunds: RefundSummary.list(fields.refunds, fields.n_refunds, "refunds")
        )
    }

    func fill(_ fields: inout Till__V1__Explanation, _ scratch: borrowing Scratch) {
        unsafe fields.application = scratch.text(application)
        unsafe fields.account = scratch.text(account)
        unsafe fields.transaction = scratch.message(transaction)
        unsafe fields.sentence = scratch.text(sentence)
        unsafe fields.n_actions = actions.count
        unsafe fields.actions = scratch.texts(actions)
        unsafe fields.n_history = history.count
        unsafe fields.history = scratch.messages(history)
        unsafe fields.n_charges = charges.count
        unsafe fields.charges = scratch.messages(charges)
        unsafe fields.n_refunds = refunds.count
        unsafe fields.refunds = scratch.messages(refunds)
    }
}

extension HistoryEntry: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__HistoryEntry> {
        unsafe till__v1__history_entry__init
    }

    init(fields: Till__V1__HistoryEntry) throws(DecodingFailure) {
        try unsafe self.init(
            date: Date(milliseconds: Int64(fields.date_ms)),
            kind: Kind(fields.kind.rawValue, "kind"),
            actor: String(field: fields.actor),
            detail: String(field: fields.detail)
        )
    }

    func fill(_ fields: inout Till__V1__HistoryEntry, _ scratch: borrowing Scratch) {
        unsafe fields.date_ms = date.milliseconds
        unsafe fields.kind.rawValue = kind.enumerator
        unsafe fields.actor = scratch.text(actor)
        unsafe fields.detail = scratch.text(detail)
    }
}

extension ChargeSummary: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ChargeSummary> {
        unsafe till__v1__charge_summary__init
    }

    init(fields: Till__V1__ChargeSummary) throws(DecodingFailure) {
        try unsafe self.init(
            paymentID: UUID(fields.payment_id, "payment_id"),
            state: State(fields.state.rawValue, "state"),
            amount: fields.amount,
            currency: String(field: fields.currency),
            attempts: Int(fields.attempts),
            reference: .optional(fields.reference),
            dueAt: Date(milliseconds: Int64(fields.due_ms))
        )
    }

    func fill(_ fields: inout Till__V1__ChargeSummary, _ scratch: borrowing Scratch) {
        unsafe fields.payment_id = scratch.bytes(paymentID.bytes)
        unsafe fields.state.rawValue = state.enumerator
        unsafe fields.amount = amount
        unsafe fields.currency = scratch.text(currency)
        unsafe fields.attempts = UInt32(clamping: attempts)
        unsafe fields.reference = scratch.text(reference ?? "")
        unsafe fields.due_ms = dueAt.milliseconds
    }
}

extension RefundSummary: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RefundSummary> {
        unsafe till__v1__refund_summary__init
    }

    init(fields: Till__V1__RefundSummary) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            quantity: Int(fields.quantity),
            amount: fields.amount,
            currency: String(field: fields.currency),
            reason: Revocation.Reason(fields.reason.rawValue, "reason"),
            state: State(fields.state.rawValue, "state"),
            reference: .optional(fields.reference),
            createdAt: Date(milliseconds: Int64(fields.created_ms))
        )
    }

    func fill(_ fields: inout Till__V1__RefundSummary, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.quantity = UInt32(clamping: quantity)
        unsafe fields.amount = amount
        unsafe fields.currency = scratch.text(currency)
        unsafe fields.reason.rawValue = reason.enumerator
        unsafe fields.state.rawValue = state.enumerator
        unsafe fields.reference = scratch.text(reference ?? "")
        unsafe fields.created_ms = createdAt.milliseconds
    }
}

/// `till.v1.ResolveRequest`: the request of `Resolve`.
package struct ResolveRequest: Hashable, Sendable {
    package var transactionID: UUID
    package var reason: String
    /// The outcome of an unknown charge.
    package var review: Review
    /// With CHARGED, the provider's name for the charge, which may be empty.
    package var providerReference: String?

    package init(
        transactionID: UUID,
        reason: String,
        review: Review,
        providerReference: String? = nil
    ) {
        self.transactionID = transactionID
        self.reason = reason
        self.review = review
        self.providerReference = providerReference
    }
}

extension ResolveRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ResolveRequest> {
        unsafe till__v1__resolve_request__init
    }

    init(fields: Till__V1__ResolveRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            reason: String(field: fields.reason),
            review: Review(fields.review.rawValue, "review"),
            providerReference: .optional(fields.provider_reference)
        )
    }

    func fill(_ fields: inout Till__V1__ResolveRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.reason = scratch.text(reason)
        unsafe fields.review.rawValue = review.enumerator
        unsafe fields.provider_reference = scratch.text(providerReference ?? "")
    }
}

/// `till.v1.ResolveResponse`: the answer of `Resolve`.
package struct ResolveResponse: Hashable, Sendable {
    package var transaction: Transaction

    package init(
        transaction: Transaction
    ) {
        self.transaction = transaction
    }
}

extension ResolveResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ResolveResponse> {
        unsafe till__v1__resolve_response__init
    }

    init(fields: Till__V1__ResolveResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transaction: .required(fields.transaction, "transaction")
        )
    }

    func fill(_ fields: inout Till__V1__ResolveResponse, _ scratch: borrowing Scratch) {
        unsafe fields.transaction = scratch.message(transaction)
    }
}

/// `till.v1.RefundRequest`: the request of `Refund`.
package struct RefundRequest: Hashable, Sendable {
    package var order: RefundOrder
    package var reason: String

    package init(
        order: RefundOrder,
        reason: String
    ) {
        self.order = order
        self.reason = reason
    }
}

extension RefundRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RefundRequest> {
        unsafe till__v1__refund_request__init
    }

    init(fields: Till__V1__RefundRequest) throws(DecodingFailure) {
        try unsafe self.init(
            order: RefundOrder(
                id: UUID(fields.refund_id, "refund_id"),
                transactionID: UUID(fields.transaction_id, "transaction_id"),
                quantity: Int(fields.quantity),
                reason: Revocation.Reason(fields.revocation_reason.rawValue, "revocation_reason"),
                keepsMoney: Bool(field: fields.keeps_money)
            ),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__RefundRequest, _ scratch: borrowing Scratch) {
        unsafe fields.refund_id = scratch.bytes(order.id.bytes)
        unsafe fields.transaction_id = scratch.bytes(order.transactionID.bytes)
        unsafe fields.quantity = UInt32(clamping: order.quantity)
        unsafe fields.revocation_reason.rawValue = order.reason.enumerator
        unsafe fields.keeps_money = order.keepsMoney.field
        unsafe fields.reason = scratch.text(reason)
    }
}

/// `till.v1.RefundResponse`: the answer of `Refund`.
package struct RefundResponse: Hashable, Sendable {
    package var refund: RefundSummary
    package var transaction: Transaction

    package init(
        refund: RefundSummary,
        transaction: Transaction
    ) {
        self.refund = refund
        self.transaction = transaction
    }
}

extension RefundResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RefundResponse> {
        unsafe till__v1__refund_response__init
    }

    init(fields: Till__V1__RefundResponse) throws(DecodingFailure) {
        try unsafe self.init(
            refund: .required(fields.refund, "refund"),
            transaction: .required(fields.transaction, "transaction")
        )
    }

    func fill(_ fields: inout Till__V1__RefundResponse, _ scratch: borrowing Scratch) {
        unsafe fields.refund = scratch.message(refund)
        unsafe fields.transaction = scratch.message(transaction)
    }
}

/// `till.v1.SubscriptionActionRequest`: the request of `ExpireSubscription`, `RenewSubscription`, `EnableAutoRenew`,
/// `DisableAutoRenew`.
package struct SubscriptionActionRequest: Hashable, Sendable {
    package var transactionID: UUID
    package var reason: String

    package init(
        transactionID: UUID,
        reason: String
    ) {
        self.transactionID = transactionID
        self.reason = reason
    }
}

extension SubscriptionActionRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SubscriptionActionRequest> {
        unsafe till__v1__subscription_action_request__init
    }

    init(fields: Till__V1__SubscriptionActionRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionActionRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.reason = scratch.text(reason)
    }
}

/// `till.v1.RequestPriceConsentRequest`: the request of `RequestPriceConsent`.
package struct RequestPriceConsentRequest: Hashable, Sendable {
    package var transactionID: UUID
    package var reason: String
    /// The new price, as in Price; empty for the catalogue's.
    package var amount: Decimal?

    package init(
        transactionID: UUID,
        reason: String,
        amount: Decimal? = nil
    ) {
        self.transactionID = transactionID
        self.reason = reason
        self.amount = amount
    }
}

extension RequestPriceConsentRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RequestPriceConsentRequest> {
        unsafe till__v1__request_price_consent_request__init
    }

    init(fields: Till__V1__RequestPriceConsentRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            reason: String(field: fields.reason),
            amount: Decimal.optional(fields.amount, "amount")
        )
    }

    func fill(_ fields: inout Till__V1__RequestPriceConsentRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.reason = scratch.text(reason)
        unsafe fields.amount = scratch.text(amount?.description ?? "")
    }
}

/// `till.v1.AnswerPriceConsentRequest`: the request of `AnswerPriceConsent`.
package struct AnswerPriceConsentRequest: Hashable, Sendable {
    package var transactionID: UUID
    package var reason: String
    package var agrees: Bool

    package init(
        transactionID: UUID,
        reason: String,
        agrees: Bool = false
    ) {
        self.transactionID = transactionID
        self.reason = reason
        self.agrees = agrees
    }
}

extension AnswerPriceConsentRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AnswerPriceConsentRequest> {
        unsafe till__v1__answer_price_consent_request__init
    }

    init(fields: Till__V1__AnswerPriceConsentRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            reason: String(field: fields.reason),
            agrees: Bool(field: fields.agrees)
        )
    }

    func fill(_ fields: inout Till__V1__AnswerPriceConsentRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.reason = scratch.text(reason)
        unsafe fields.agrees = agrees.field
    }
}

/// `till.v1.SubscriptionActionResponse`: the answer of `ExpireSubscription`, `RenewSubscription`, `EnableAutoRenew`,
/// `DisableAutoRenew`, `RequestPriceConsent`, `AnswerPriceConsent`.
package struct SubscriptionActionResponse: Hashable, Sendable {
    package var status: SubscriptionStatus

    package init(
        status: SubscriptionStatus
    ) {
        self.status = status
    }
}

extension SubscriptionActionResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SubscriptionActionResponse> {
        unsafe till__v1__subscription_action_response__init
    }

    init(fields: Till__V1__SubscriptionActionResponse) throws(DecodingFailure) {
        try unsafe self.init(
            status: .required(fields.status, "status")
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionActionResponse, _ scratch: borrowing Scratch) {
        unsafe fields.status = scratch.message(status)
    }
}

/// `till.v1.PromoteRequest`: the request of `Promote`.
package struct PromoteRequest: Hashable, Sendable {
    package var application: String
    package var account: String
    package var payment: Payment
    package var reason: String

    package init(
        application: String,
        account: String,
        payment: Payment,
        reason: String
    ) {
        self.application = application
        self.account = account
        self.payment = payment
        self.reason = reason
    }
}

extension PromoteRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__PromoteRequest> {
        unsafe till__v1__promote_request__init
    }

    init(fields: Till__V1__PromoteRequest) throws(DecodingFailure) {
        try unsafe self.init(
            application: String(field: fields.application),
            account: String(field: fields.account),
            payment: .required(fields.payment, "payment"),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__PromoteRequest, _ scratch: borrowing Scratch) {
        unsafe fields.application = scratch.text(application)
        unsafe fields.account = scratch.text(account)
        unsafe fields.payment = scratch.message(payment)
        unsafe fields.reason = scratch.text(reason)
    }
}

/// `till.v1.PromoteResponse`: the answer of `Promote`.
package struct PromoteResponse: Hashable, Sendable {
    package init() {}
}

extension PromoteResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__PromoteResponse> {
        unsafe till__v1__promote_response__init
    }

    init(fields: Till__V1__PromoteResponse) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__PromoteResponse, _ scratch: borrowing Scratch) {}
}

/// `till.v1.SettingsRequest`: the request of `Settings`.
package struct SettingsRequest: Hashable, Sendable {
    package init() {}
}

extension SettingsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SettingsRequest> {
        unsafe till__v1__settings_request__init
    }

    init(fields: Till__V1__SettingsRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__SettingsRequest, _ scratch: borrowing Scratch) {}
}

/// `till.v1.SettingsResponse`: the answer of `Settings`, `ChangeSettings`.
package struct SettingsResponse: Hashable, Sendable {
    package var settings: [Setting]

    package init(
        settings: [Setting]
    ) {
        self.settings = settings
    }
}

extension SettingsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SettingsResponse> {
        unsafe till__v1__settings_response__init
    }

    init(fields: Till__V1__SettingsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            settings: Setting.list(fields.settings, fields.n_settings, "settings")
        )
    }

    func fill(_ fields: inout Till__V1__SettingsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_settings = settings.count
        unsafe fields.settings = scratch.messages(settings)
    }
}

extension Setting: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__Setting> {
        unsafe till__v1__setting__init
    }

    init(fields: Till__V1__Setting) {
        unsafe self.init(
            name: String(field: fields.name),
            value: String(field: fields.value),
            domain: String(field: fields.domain),
            isChanged: Bool(field: fields.is_changed)
        )
    }

    func fill(_ fields: inout Till__V1__Setting, _ scratch: borrowing Scratch) {
        unsafe fields.name = scratch.text(name)
        unsafe fields.value = scratch.text(value)
        unsafe fields.domain = scratch.text(domain)
        unsafe fields.is_changed = isChanged.field
    }
}

/// `till.v1.ChangeSettingsRequest`: the request of `ChangeSettings`.
package struct ChangeSettingsRequest: Hashable, Sendable {
    /// At most 32, each of another setting.
    package var changes: [SettingChange]
    /// Resets all settings to their configured values before the changes.
    package var resetAll: Bool
    package var reason: String

    package init(
        changes: [SettingChange] = [],
        resetAll: Bool = false,
        reason: String
    ) {
        self.changes = changes
        self.resetAll = resetAll
        self.reason = reason
    }
}

extension ChangeSettingsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ChangeSettingsRequest> {
        unsafe till__v1__change_settings_request__init
    }

    init(fields: Till__V1__ChangeSettingsRequest) throws(DecodingFailure) {
        try unsafe self.init(
            changes: SettingChange.list(fields.changes, fields.n_changes, "changes"),
            resetAll: Bool(field: fields.reset_all),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__ChangeSettingsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.n_changes = changes.count
        unsafe fields.changes = scratch.messages(changes)
        unsafe fields.reset_all = resetAll.field
        unsafe fields.reason = scratch.text(reason)
    }
}

/// `till.v1.SettingChange`.
package struct SettingChange: Hashable, Sendable {
    package var name: String
    /// Absent to reset the setting to its configured value.
    package var value: String?

    package init(
        name: String,
        value: String? = nil
    ) {
        self.name = name
        self.value = value
    }
}

extension SettingChange: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SettingChange> {
        unsafe till__v1__setting_change__init
    }

    init(fields: Till__V1__SettingChange) {
        unsafe self.init(
            name: String(field: fields.name),
            value: fields.value_presence_case.rawValue == 2
                ? String(field: fields.value) : nil
        )
    }

    func fill(_ fields: inout Till__V1__SettingChange, _ scratch: borrowing Scratch) {
        unsafe fields.name = scratch.text(name)
        if let value {
            unsafe fields.value_presence_case.rawValue = 2
            unsafe fields.value = scratch.text(value)
        }
    }
}

/// `till.v1.ClockRequest`: the request of `Clock`.
package struct ClockRequest: Hashable, Sendable {
    package init() {}
}

extension ClockRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ClockRequest> {
        unsafe till__v1__clock_request__init
    }

    init(fields: Till__V1__ClockRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__ClockRequest, _ scratch: borrowing Scratch) {}
}

/// Travels as `till.v1.ClockResponse`.
extension ClockReading: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ClockResponse> {
        unsafe till__v1__clock_response__init
    }

    init(fields: Till__V1__ClockResponse) {
        unsafe self.init(
            now: Date(milliseconds: Int64(fields.now_ms)),
            offset: Duration(milliseconds: Int64(fields.offset_ms)),
            isAdjustable: Bool(field: fields.is_adjustable)
        )
    }

    func fill(_ fields: inout Till__V1__ClockResponse, _ scratch: borrowing Scratch) {
        unsafe fields.now_ms = now.milliseconds
        unsafe fields.offset_ms = offset.milliseconds
        unsafe fields.is_adjustable = isAdjustable.field
    }
}

/// `till.v1.AdvanceClockRequest`: the request of `AdvanceClock`.
package struct AdvanceClockRequest: Hashable, Sendable {
    package var by: Duration
    package var reason: String

    package init(
        by: Duration,
        reason: String
    ) {
        self.by = by
        self.reason = reason
    }
}

extension AdvanceClockRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AdvanceClockRequest> {
        unsafe till__v1__advance_clock_request__init
    }

    init(fields: Till__V1__AdvanceClockRequest) {
        unsafe self.init(
            by: Duration(milliseconds: Int64(fields.by_ms)),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__AdvanceClockRequest, _ scratch: borrowing Scratch) {
        unsafe fields.by_ms = by.milliseconds
        unsafe fields.reason = scratch.text(reason)
    }
}

/// `till.v1.ReconcileRequest`: the request of `Reconcile`.
package struct ReconcileRequest: Hashable, Sendable {
    /// The next_page_token of the page before, on the same connection; 0 for the first.
    package var pageToken: UInt64?

    package init(
        pageToken: UInt64? = nil
    ) {
        self.pageToken = pageToken
    }
}

extension ReconcileRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ReconcileRequest> {
        unsafe till__v1__reconcile_request__init
    }

    init(fields: Till__V1__ReconcileRequest) {
        unsafe self.init(
            pageToken: fields.page_token == 0 ? nil : fields.page_token
        )
    }

    func fill(_ fields: inout Till__V1__ReconcileRequest, _ scratch: borrowing Scratch) {
        unsafe fields.page_token = pageToken ?? 0
    }
}

/// Travels as `till.v1.ReconcileResponse`.
extension ReconciliationPage: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ReconcileResponse> {
        unsafe till__v1__reconcile_response__init
    }

    init(fields: Till__V1__ReconcileResponse) throws(DecodingFailure) {
        try unsafe self.init(
            rows: ReconciliationRow.list(fields.rows, fields.n_rows, "rows"),
            next: fields.next_page_token == 0 ? nil : fields.next_page_token,
            agrees: Bool(field: fields.agrees),
            compared: Int(fields.compared),
            discarded: Int(fields.discarded)
        )
    }

    func fill(_ fields: inout Till__V1__ReconcileResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_rows = rows.count
        unsafe fields.rows = scratch.messages(rows)
        unsafe fields.next_page_token = next ?? 0
        unsafe fields.agrees = agrees.field
        unsafe fields.compared = UInt32(clamping: compared)
        unsafe fields.discarded = UInt32(clamping: discarded)
    }
}

extension ReconciliationRow: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ReconciliationRow> {
        unsafe till__v1__reconciliation_row__init
    }

    init(fields: Till__V1__ReconciliationRow) throws(DecodingFailure) {
        try unsafe self.init(
            paymentID: UUID(fields.payment_id, "payment_id"),
            finding: Finding(fields.finding.rawValue, "finding"),
            ledgerState: fields.ledger_state_presence_case.rawValue == 3
                ? ChargeSummary.State(fields.ledger_state.rawValue, "ledger_state") : nil,
            ledgerAmount: fields.ledger_amount_presence_case.rawValue == 4
                ? fields.ledger_amount : nil,
            providerAmount: fields.provider_amount_presence_case.rawValue == 5
                ? fields.provider_amount : nil,
            currency: String(field: fields.currency),
            reference: .optional(fields.reference),
            productID: .optional(fields.product_id)
        )
    }

    func fill(_ fields: inout Till__V1__ReconciliationRow, _ scratch: borrowing Scratch) {
        unsafe fields.payment_id = scratch.bytes(paymentID.bytes)
        unsafe fields.finding.rawValue = finding.enumerator
        if let ledgerState {
            unsafe fields.ledger_state_presence_case.rawValue = 3
            unsafe fields.ledger_state.rawValue = ledgerState.enumerator
        }
        if let ledgerAmount {
            unsafe fields.ledger_amount_presence_case.rawValue = 4
            unsafe fields.ledger_amount = ledgerAmount
        }
        if let providerAmount {
            unsafe fields.provider_amount_presence_case.rawValue = 5
            unsafe fields.provider_amount = providerAmount
        }
        unsafe fields.currency = scratch.text(currency)
        unsafe fields.reference = scratch.text(reference ?? "")
        unsafe fields.product_id = scratch.text(productID ?? "")
    }
}

/// `till.v1.RebuildReceiptRequest`: the request of `RebuildReceipt`.
package struct RebuildReceiptRequest: Hashable, Sendable {
    package var transactionID: UUID
    package var reason: String

    package init(
        transactionID: UUID,
        reason: String
    ) {
        self.transactionID = transactionID
        self.reason = reason
    }
}

extension RebuildReceiptRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RebuildReceiptRequest> {
        unsafe till__v1__rebuild_receipt_request__init
    }

    init(fields: Till__V1__RebuildReceiptRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__RebuildReceiptRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.reason = scratch.text(reason)
    }
}

/// `till.v1.RebuildReceiptResponse`: the answer of `RebuildReceipt`.
package struct RebuildReceiptResponse: Hashable, Sendable {
    package var transaction: Transaction

    package init(
        transaction: Transaction
    ) {
        self.transaction = transaction
    }
}

extension RebuildReceiptResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RebuildReceiptResponse> {
        unsafe till__v1__rebuild_receipt_response__init
    }

    init(fields: Till__V1__RebuildReceiptResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transaction: .required(fields.transaction, "transaction")
        )
    }

    func fill(_ fields: inout Till__V1__RebuildReceiptResponse, _ scratch: borrowing Scratch) {
        unsafe fields.transaction = scratch.message(transaction)
    }
}

/// `till.v1.AuditRequest`: the request of `Audit`.
package struct AuditRequest: Hashable, Sendable {
    /// The sequence of the last link that the caller has; 0 for all.
    package var afterSequence: Int64
    /// 1 to 64; 0 stands for 64.
    package var limit: Int

    package init(
        afterSequence: Int64 = 0,
        limit: Int = 0
    ) {
        self.afterSequence = afterSequence
        self.limit = limit
    }
}

extension AuditRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AuditRequest> {
        unsafe till__v1__audit_request__init
    }

    init(fields: Till__V1__AuditRequest) {
        unsafe self.init(
            afterSequence: fields.after_sequence,
            limit: Int(fields.limit)
        )
    }

    func fill(_ fields: inout Till__V1__AuditRequest, _ scratch: borrowing Scratch) {
        unsafe fields.after_sequence = afterSequence
        unsafe fields.limit = UInt32(clamping: limit)
    }
}

/// `till.v1.AuditResponse`: the answer of `Audit`.
package struct AuditResponse: Hashable, Sendable {
    package var links: [AuditLink]

    package init(
        links: [AuditLink]
    ) {
        self.links = links
    }
}

extension AuditResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AuditResponse> {
        unsafe till__v1__audit_response__init
    }

    init(fields: Till__V1__AuditResponse) throws(DecodingFailure) {
        try unsafe self.init(
            links: AuditLink.list(fields.links, fields.n_links, "links")
        )
    }

    func fill(_ fields: inout Till__V1__AuditResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_links = links.count
        unsafe fields.links = scratch.messages(links)
    }
}

extension AuditLink: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AuditLink> {
        unsafe till__v1__audit_link__init
    }

    init(fields: Till__V1__AuditLink) {
        unsafe self.init(
            sequence: fields.sequence,
            date: Date(milliseconds: Int64(fields.date_ms)),
            uid: fields.uid,
            host: String(field: fields.host),
            action: String(field: fields.action),
            subject: String(field: fields.subject),
            detail: String(field: fields.detail),
            reason: String(field: fields.reason),
            previousHash: [UInt8](field: fields.previous_hash),
            hash: [UInt8](field: fields.hash)
        )
    }

    func fill(_ fields: inout Till__V1__AuditLink, _ scratch: borrowing Scratch) {
        unsafe fields.sequence = sequence
        unsafe fields.date_ms = date.milliseconds
        unsafe fields.uid = uid
        unsafe fields.action = scratch.text(action)
        unsafe fields.subject = scratch.text(subject)
        unsafe fields.detail = scratch.text(detail)
        unsafe fields.reason = scratch.text(reason)
        unsafe fields.previous_hash = scratch.bytes(previousHash)
        unsafe fields.hash = scratch.bytes(hash)
        unsafe fields.host = scratch.text(host)
    }
}

/// `till.v1.OpenConsoleRequest`: the request of `OpenConsole`.
package struct OpenConsoleRequest: Hashable, Sendable {
    /// The page may only read.
    package var readOnly: Bool

    package init(
        readOnly: Bool = false
    ) {
        self.readOnly = readOnly
    }
}

extension OpenConsoleRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__OpenConsoleRequest> {
        unsafe till__v1__open_console_request__init
    }

    init(fields: Till__V1__OpenConsoleRequest) {
        unsafe self.init(
            readOnly: Bool(field: fields.read_only)
        )
    }

    func fill(_ fields: inout Till__V1__OpenConsoleRequest, _ scratch: borrowing Scratch) {
        unsafe fields.read_only = readOnly.field
    }
}

extension ConsoleInvitation: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ConsoleInvitation> {
        unsafe till__v1__console_invitation__init
    }

    init(fields: Till__V1__ConsoleInvitation) {
        unsafe self.init(
            address: String(field: fields.address),
            secret: String(field: fields.secret),
            validFor: Duration(milliseconds: Int64(fields.valid_for_ms))
        )
    }

    func fill(_ fields: inout Till__V1__ConsoleInvitation, _ scratch: borrowing Scratch) {
        unsafe fields.address = scratch.text(address)
        unsafe fields.secret = scratch.text(secret)
        unsafe fields.valid_for_ms = validFor.milliseconds
    }
}

/// `till.v1.MetricsRequest`: the request of `Metrics`.
package struct MetricsRequest: Hashable, Sendable {
    package init() {}
}

extension MetricsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__MetricsRequest> {
        unsafe till__v1__metrics_request__init
    }

    init(fields: Till__V1__MetricsRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__MetricsRequest, _ scratch: borrowing Scratch) {}
}

/// `till.v1.MetricsResponse`: the answer of `Metrics`.
package struct MetricsResponse: Hashable, Sendable {
    /// At most 400.
    package var samples: [MetricSample]

    package init(
        samples: [MetricSample]
    ) {
        self.samples = samples
    }
}

extension MetricsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__MetricsResponse> {
        unsafe till__v1__metrics_response__init
    }

    init(fields: Till__V1__MetricsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            samples: MetricSample.list(fields.samples, fields.n_samples, "samples")
        )
    }

    func fill(_ fields: inout Till__V1__MetricsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_samples = samples.count
        unsafe fields.samples = scratch.messages(samples)
    }
}

extension MetricSample: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__MetricSample> {
        unsafe till__v1__metric_sample__init
    }

    init(fields: Till__V1__MetricSample) throws(DecodingFailure) {
        try unsafe self.init(
            name: String(field: fields.name),
            labels: MetricLabel.list(fields.labels, fields.n_labels, "labels"),
            value: Double(finite: fields.value, "value")
        )
    }

    func fill(_ fields: inout Till__V1__MetricSample, _ scratch: borrowing Scratch) {
        unsafe fields.name = scratch.text(name)
        unsafe fields.n_labels = labels.count
        unsafe fields.labels = scratch.messages(labels)
        unsafe fields.value = value
    }
}

extension MetricLabel: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__MetricLabel> {
        unsafe till__v1__metric_label__init
    }

    init(fields: Till__V1__MetricLabel) {
        unsafe self.init(
            name: String(field: fields.name),
            value: String(field: fields.value)
        )
    }

    func fill(_ fields: inout Till__V1__MetricLabel, _ scratch: borrowing Scratch) {
        unsafe fields.name = scratch.text(name)
        unsafe fields.value = scratch.text(value)
    }
}

/// `till.v1.HostsRequest`: the request of `Hosts`.
package struct HostsRequest: Hashable, Sendable {
    package init() {}
}

extension HostsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__HostsRequest> {
        unsafe till__v1__hosts_request__init
    }

    init(fields: Till__V1__HostsRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__HostsRequest, _ scratch: borrowing Scratch) {}
}

/// `till.v1.HostsResponse`: the answer of `Hosts`.
package struct HostsResponse: Hashable, Sendable {
    /// At most 256, in the order of their names; none if the daemon does not share its ledger.
    package var hosts: [LedgerHost]

    package init(
        hosts: [LedgerHost]
    ) {
        self.hosts = hosts
    }
}

extension HostsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__HostsResponse> {
        unsafe till__v1__hosts_response__init
    }

    init(fields: Till__V1__HostsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            hosts: LedgerHost.list(fields.hosts, fields.n_hosts, "hosts")
        )
    }

    func fill(_ fields: inout Till__V1__HostsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_hosts = hosts.count
        unsafe fields.hosts = scratch.messages(hosts)
    }
}

extension LedgerHost: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__LedgerHost> {
        unsafe till__v1__ledger_host__init
    }

    init(fields: Till__V1__LedgerHost) {
        unsafe self.init(
            name: String(field: fields.name),
            isLive: Bool(field: fields.is_live),
            isAnswering: Bool(field: fields.is_answering),
            openedAt: Date(milliseconds: Int64(fields.opened_ms)),
            commits: fields.commits,
            version: String(field: fields.version),
            catalogueHash: [UInt8](field: fields.catalogue_hash),
            configurationHash: [UInt8](field: fields.configuration_hash)
        )
    }

    func fill(_ fields: inout Till__V1__LedgerHost, _ scratch: borrowing Scratch) {
        unsafe fields.name = scratch.text(name)
        unsafe fields.is_live = isLive.field
        unsafe fields.is_answering = isAnswering.field
        unsafe fields.opened_ms = openedAt.milliseconds
        unsafe fields.commits = commits
        unsafe fields.version = scratch.text(version)
        unsafe fields.catalogue_hash = scratch.bytes(catalogueHash)
        unsafe fields.configuration_hash = scratch.bytes(configurationHash)
    }
}

/// `till.v1.BackupRequest`: the request of `Backup`.
package struct BackupRequest: Hashable, Sendable {
    package var reason: String
    /// Includes the keys that sign receipts: only for root and the daemon's own user.
    package var withKeys: Bool

    package init(
        reason: String,
        withKeys: Bool = false
    ) {
        self.reason = reason
        self.withKeys = withKeys
    }
}

extension BackupRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__BackupRequest> {
        unsafe till__v1__backup_request__init
    }

    init(fields: Till__V1__BackupRequest) {
        unsafe self.init(
            reason: String(field: fields.reason),
            withKeys: Bool(field: fields.with_keys)
        )
    }

    func fill(_ fields: inout Till__V1__BackupRequest, _ scratch: borrowing Scratch) {
        unsafe fields.reason = scratch.text(reason)
        unsafe fields.with_keys = withKeys.field
    }
}

/// `till.v1.BackupResponse`: the answer of `Backup`.
package struct BackupResponse: Hashable, Sendable {
    /// In the first message after the ledger was copied; absent in all others.
    package var summary: BackupSummary?
    /// At most 128 KiB of the file; empty in a message that only shows that the daemon is still at work.
    package var data: [UInt8]

    package init(
        summary: BackupSummary? = nil,
        data: [UInt8]
    ) {
        self.summary = summary
        self.data = data
    }
}

extension BackupResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__BackupResponse> {
        unsafe till__v1__backup_response__init
    }

    init(fields: Till__V1__BackupResponse) throws(DecodingFailure) {
        try unsafe self.init(
            summary: .optional(fields.summary, "summary"),
            data: [UInt8](field: fields.data)
        )
    }

    func fill(_ fields: inout Till__V1__BackupResponse, _ scratch: borrowing Scratch) {
        unsafe fields.summary = scratch.message(summary)
        unsafe fields.data = scratch.bytes(data)
    }
}

extension BackupSummary: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__BackupSummary> {
        unsafe till__v1__backup_summary__init
    }

    init(fields: Till__V1__BackupSummary) throws(DecodingFailure) {
        try unsafe self.init(
            ledgerID: UUID(fields.ledger_id, "ledger_id"),
            date: Date(milliseconds: Int64(fields.date_ms)),
            byteCount: fields.byte_count,
            hasKeys: Bool(field: fields.has_keys)
        )
    }

    func fill(_ fields: inout Till__V1__BackupSummary, _ scratch: borrowing Scratch) {
        unsafe fields.ledger_id = scratch.bytes(ledgerID.bytes)
        unsafe fields.date_ms = date.milliseconds
        unsafe fields.byte_count = byteCount
        unsafe fields.has_keys = hasKeys.field
    }
}

/// `till.v1.ExportRequest`: the request of `Export`.
package struct ExportRequest: Hashable, Sendable {
    /// Entries of this date and later.
    package var since: Date?
    /// Entries before this date.
    package var until: Date?

    package init(
        since: Date? = nil,
        until: Date? = nil
    ) {
        self.since = since
        self.until = until
    }
}

extension ExportRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ExportRequest> {
        unsafe till__v1__export_request__init
    }

    init(fields: Till__V1__ExportRequest) {
        unsafe self.init(
            since: fields.since_presence_case.rawValue == 1
                ? Date(milliseconds: Int64(fields.since_ms)) : nil,
            until: fields.until_presence_case.rawValue == 2
                ? Date(milliseconds: Int64(fields.until_ms)) : nil
        )
    }

    func fill(_ fields: inout Till__V1__ExportRequest, _ scratch: borrowing Scratch) {
        if let since {
            unsafe fields.since_presence_case.rawValue = 1
            unsafe fields.since_ms = since.milliseconds
        }
        if let until {
            unsafe fields.until_presence_case.rawValue = 2
            unsafe fields.until_ms = until.milliseconds
        }
    }
}

/// `till.v1.ExportResponse`: the answer of `Export`.
package struct ExportResponse: Hashable, Sendable {
    /// At most 64; none in a message that only shows that the daemon is still at work.
    package var entries: [LedgerEntry]

    package init(
        entries: [LedgerEntry]
    ) {
        self.entries = entries
    }
}

extension ExportResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ExportResponse> {
        unsafe till__v1__export_response__init
    }

    init(fields: Till__V1__ExportResponse) throws(DecodingFailure) {
        try unsafe self.init(
            entries: LedgerEntry.list(fields.entries, fields.n_entries, "entries")
        )
    }

    func fill(_ fields: inout Till__V1__ExportResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_entries = entries.count
        unsafe fields.entries = scratch.messages(entries)
    }
}

extension LedgerEntry: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__LedgerEntry> {
        unsafe till__v1__ledger_entry__init
    }

    init(fields: Till__V1__LedgerEntry) throws(DecodingFailure) {
        try unsafe self.init(
            date: Date(milliseconds: Int64(fields.date_ms)),
            kind: Kind(fields.kind.rawValue, "kind"),
            paymentID: UUID(fields.payment_id, "payment_id"),
            refundID: .optional(fields.refund_id, "refund_id"),
            application: String(field: fields.application),
            account: String(field: fields.account),
            productID: String(field: fields.product_id),
            quantity: Int(fields.quantity),
            amount: fields.amount,
            currency: String(field: fields.currency),
            reference: .optional(fields.reference)
        )
    }

    func fill(_ fields: inout Till__V1__LedgerEntry, _ scratch: borrowing Scratch) {
        unsafe fields.date_ms = date.milliseconds
        unsafe fields.kind.rawValue = kind.enumerator
        unsafe fields.payment_id = scratch.bytes(paymentID.bytes)
        unsafe fields.refund_id = scratch.bytes(refundID?.bytes ?? [])
        unsafe fields.application = scratch.text(application)
        unsafe fields.account = scratch.text(account)
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.quantity = UInt32(clamping: quantity)
        unsafe fields.amount = amount
        unsafe fields.currency = scratch.text(currency)
        unsafe fields.reference = scratch.text(reference ?? "")
    }
}
