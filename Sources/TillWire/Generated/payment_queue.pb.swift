// Generated from Proto/till/v1/payment_queue.proto by `make proto`. Change that file instead.

import CTillMessages
package import FoundationEssentials
import ProtobufCodec
package import TillModel

/// The payment queue of the application that Hello names and of the account that the kernel vouches for.
package enum PaymentQueueMethod: String, ServiceMethod {
    /// The first call of a connection. Until it succeeds, other calls are refused with FAILED_PRECONDITION.
    case hello = "Hello"
    case canMakePayments = "CanMakePayments"
    /// Responds once the payment is durable.
    case addPayment = "AddPayment"
    /// Cancels a payment that was not charged, or that waits for its payer: its transaction fails. Responds once that
    /// is durable.
    case cancelPayment = "CancelPayment"
    /// Responds once the removal is durable. Finishing again is harmless.
    case finishTransaction = "FinishTransaction"
    case listTransactions = "ListTransactions"
    /// Responds once the restore is recorded. Its end arrives at the observers.
    case restoreCompletedTransactions = "RestoreCompletedTransactions"
    case restoreStatus = "RestoreStatus"
    /// Stops a restore, which then fails. Restored transactions stay. A restore that has ended is not changed.
    case cancelRestore = "CancelRestore"
    /// The products that the account owns or is subscribed to now, in pages of 32.
    case entitlements = "Entitlements"
    /// The status of the account's subscriptions, including expired ones, in pages of 32.
    case subscriptions = "Subscriptions"
    /// Streams the changes of the queue, up to a window of unacknowledged batches.
    case observe = "Observe"
    case acknowledge = "Acknowledge"
    /// Ends other calls of this connection, named by their metadata "call-id", by an observer_id or by a watch_id.
    case cancel = "Cancel"

    package static let service = "till.v1.PaymentQueue"
}

extension HelloRequest: Call {
    package typealias Response = HelloResponse

    package static let path = MethodPath(PaymentQueueMethod.hello)
}

extension CanMakePaymentsRequest: Call {
    package typealias Response = CanMakePaymentsResponse

    package static let path = MethodPath(PaymentQueueMethod.canMakePayments)
}

extension AddPaymentRequest: Call {
    package typealias Response = AddPaymentResponse

    package static let path = MethodPath(PaymentQueueMethod.addPayment)
}

extension CancelPaymentRequest: Call {
    package typealias Response = CancelPaymentResponse

    package static let path = MethodPath(PaymentQueueMethod.cancelPayment)
}

extension FinishTransactionRequest: Call {
    package typealias Response = FinishTransactionResponse

    package static let path = MethodPath(PaymentQueueMethod.finishTransaction)
}

extension ListTransactionsRequest: Call {
    package typealias Response = ListTransactionsResponse

    package static let path = MethodPath(PaymentQueueMethod.listTransactions)
}

extension RestoreCompletedTransactionsRequest: Call {
    package typealias Response = RestoreCompletedTransactionsResponse

    package static let path = MethodPath(PaymentQueueMethod.restoreCompletedTransactions)
}

extension RestoreStatusRequest: Call {
    package typealias Response = RestoreCompletedTransactionsResponse

    package static let path = MethodPath(PaymentQueueMethod.restoreStatus)
}

extension CancelRestoreRequest: Call {
    package typealias Response = RestoreCompletedTransactionsResponse

    package static let path = MethodPath(PaymentQueueMethod.cancelRestore)
}

extension EntitlementsRequest: Call {
    package typealias Response = EntitlementsResponse

    package static let path = MethodPath(PaymentQueueMethod.entitlements)
}

extension SubscriptionsRequest: Call {
    package typealias Response = SubscriptionsResponse

    package static let path = MethodPath(PaymentQueueMethod.subscriptions)
}

extension ObserveRequest: StreamingCall {
    package typealias Element = EventBatch

    package static let path = MethodPath(PaymentQueueMethod.observe)
}

extension AcknowledgeRequest: Call {
    package typealias Response = AcknowledgeResponse

    package static let path = MethodPath(PaymentQueueMethod.acknowledge)
}

extension CancelRequest: Call {
    package typealias Response = CancelResponse

    package static let path = MethodPath(PaymentQueueMethod.cancel)
}

/// `till.v1.HelloRequest`: the request of `Hello`.
package struct HelloRequest: Hashable, Sendable {
    /// The protocol versions that the client speaks; this page describes version 1.
    package var protocolMinimum: UInt32
    package var protocolMaximum: UInt32
    /// The application's bundle identifier: A-Z a-z 0-9 . _ : -, 1 to 128 bytes.
    package var application: String
    /// Names of optional abilities; unknown ones are ignored. At most 64.
    package var capabilities: [String]
    /// The client's name and version, for logs.
    package var client: String

    package init(
        protocolMinimum: UInt32 = WireProtocol.version,
        protocolMaximum: UInt32 = WireProtocol.version,
        application: String,
        capabilities: [String] = [],
        client: String
    ) {
        self.protocolMinimum = protocolMinimum
        self.protocolMaximum = protocolMaximum
        self.application = application
        self.capabilities = capabilities
        self.client = client
    }
}

extension HelloRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__HelloRequest> {
        unsafe till__v1__hello_request__init
    }

    init(fields: Till__V1__HelloRequest) {
        unsafe self.init(
            protocolMinimum: fields.protocol_minimum,
            protocolMaximum: fields.protocol_maximum,
            application: String(field: fields.application),
            capabilities: [String](fields.capabilities, fields.n_capabilities),
            client: String(field: fields.client)
        )
    }

    func fill(_ fields: inout Till__V1__HelloRequest, _ scratch: borrowing Scratch) {
        unsafe fields.protocol_minimum = protocolMinimum
        unsafe fields.protocol_maximum = protocolMaximum
        unsafe fields.application = scratch.text(application)
        unsafe fields.n_capabilities = capabilities.count
        unsafe fields.capabilities = scratch.texts(capabilities)
        unsafe fields.client = scratch.text(client)
    }
}

/// `till.v1.HelloResponse`: the answer of `Hello`.
package struct HelloResponse: Hashable, Sendable {
    package var protocolVersion: UInt32
    package var capabilities: [String]
    /// The daemon's name and version.
    package var server: String
    /// The account that owns the queue, for example "uid:1000".
    package var account: String
    /// UUID of the ledger. A cursor is valid only for the ledger that issued it.
    package var ledgerID: UUID
    /// A stream without a batch for this long is dead.
    package var heartbeat: Duration

    package init(
        protocolVersion: UInt32 = WireProtocol.version,
        capabilities: [String] = [],
        server: String,
        account: String,
        ledgerID: UUID,
        heartbeat: Duration
    ) {
        self.protocolVersion = protocolVersion
        self.capabilities = capabilities
        self.server = server
        self.account = account
        self.ledgerID = ledgerID
        self.heartbeat = heartbeat
    }
}

extension HelloResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__HelloResponse> {
        unsafe till__v1__hello_response__init
    }

    init(fields: Till__V1__HelloResponse) throws(DecodingFailure) {
        try unsafe self.init(
            protocolVersion: fields.protocol,
            capabilities: [String](fields.capabilities, fields.n_capabilities),
            server: String(field: fields.server),
            account: String(field: fields.account),
            ledgerID: UUID(fields.ledger_id, "ledger_id"),
            heartbeat: Duration(milliseconds: Int64(fields.heartbeat_ms))
        )
    }

    func fill(_ fields: inout Till__V1__HelloResponse, _ scratch: borrowing Scratch) {
        unsafe fields.protocol = protocolVersion
        unsafe fields.n_capabilities = capabilities.count
        unsafe fields.capabilities = scratch.texts(capabilities)
        unsafe fields.server = scratch.text(server)
        unsafe fields.account = scratch.text(account)
        unsafe fields.ledger_id = scratch.bytes(ledgerID.bytes)
        unsafe fields.heartbeat_ms = UInt32(clamping: heartbeat.milliseconds)
    }
}

/// `till.v1.CanMakePaymentsRequest`: the request of `CanMakePayments`.
package struct CanMakePaymentsRequest: Hashable, Sendable {
    package init() {}
}

extension CanMakePaymentsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__CanMakePaymentsRequest> {
        unsafe till__v1__can_make_payments_request__init
    }

    init(fields: Till__V1__CanMakePaymentsRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__CanMakePaymentsRequest, _ scratch: borrowing Scratch) {}
}

/// `till.v1.CanMakePaymentsResponse`: the answer of `CanMakePayments`.
package struct CanMakePaymentsResponse: Hashable, Sendable {
    package var canMakePayments: Bool

    package init(
        canMakePayments: Bool
    ) {
        self.canMakePayments = canMakePayments
    }
}

extension CanMakePaymentsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__CanMakePaymentsResponse> {
        unsafe till__v1__can_make_payments_response__init
    }

    init(fields: Till__V1__CanMakePaymentsResponse) {
        unsafe self.init(
            canMakePayments: Bool(field: fields.can_make_payments)
        )
    }

    func fill(_ fields: inout Till__V1__CanMakePaymentsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.can_make_payments = canMakePayments.field
    }
}

/// `till.v1.AddPaymentRequest`: the request of `AddPayment`.
package struct AddPaymentRequest: Hashable, Sendable {
    package var payment: Payment

    package init(
        payment: Payment
    ) {
        self.payment = payment
    }
}

extension AddPaymentRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AddPaymentRequest> {
        unsafe till__v1__add_payment_request__init
    }

    init(fields: Till__V1__AddPaymentRequest) throws(DecodingFailure) {
        try unsafe self.init(
            payment: .required(fields.payment, "payment")
        )
    }

    func fill(_ fields: inout Till__V1__AddPaymentRequest, _ scratch: borrowing Scratch) {
        unsafe fields.payment = scratch.message(payment)
    }
}

/// `till.v1.AddPaymentResponse`: the answer of `AddPayment`.
package struct AddPaymentResponse: Hashable, Sendable {
    package var transaction: Transaction

    package init(
        transaction: Transaction
    ) {
        self.transaction = transaction
    }
}

extension AddPaymentResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AddPaymentResponse> {
        unsafe till__v1__add_payment_response__init
    }

    init(fields: Till__V1__AddPaymentResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transaction: .required(fields.transaction, "transaction")
        )
    }

    func fill(_ fields: inout Till__V1__AddPaymentResponse, _ scratch: borrowing Scratch) {
        unsafe fields.transaction = scratch.message(transaction)
    }
}

/// `till.v1.CancelPaymentRequest`: the request of `CancelPayment`.
package struct CancelPaymentRequest: Hashable, Sendable {
    package var transactionID: UUID

    package init(
        transactionID: UUID
    ) {
        self.transactionID = transactionID
    }
}

extension CancelPaymentRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__CancelPaymentRequest> {
        unsafe till__v1__cancel_payment_request__init
    }

    init(fields: Till__V1__CancelPaymentRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id")
        )
    }

    func fill(_ fields: inout Till__V1__CancelPaymentRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
    }
}

/// `till.v1.CancelPaymentResponse`: the answer of `CancelPayment`.
package struct CancelPaymentResponse: Hashable, Sendable {
    package var transaction: Transaction

    package init(
        transaction: Transaction
    ) {
        self.transaction = transaction
    }
}

extension CancelPaymentResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__CancelPaymentResponse> {
        unsafe till__v1__cancel_payment_response__init
    }

    init(fields: Till__V1__CancelPaymentResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transaction: .required(fields.transaction, "transaction")
        )
    }

    func fill(_ fields: inout Till__V1__CancelPaymentResponse, _ scratch: borrowing Scratch) {
        unsafe fields.transaction = scratch.message(transaction)
    }
}

/// `till.v1.FinishTransactionRequest`: the request of `FinishTransaction`.
package struct FinishTransactionRequest: Hashable, Sendable {
    package var transactionID: UUID
    /// Finishes the older unfinished renewals of the same subscription too.
    package var finishesOlderRenewals: Bool

    package init(
        transactionID: UUID,
        finishesOlderRenewals: Bool = false
    ) {
        self.transactionID = transactionID
        self.finishesOlderRenewals = finishesOlderRenewals
    }
}

extension FinishTransactionRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__FinishTransactionRequest> {
        unsafe till__v1__finish_transaction_request__init
    }

    init(fields: Till__V1__FinishTransactionRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            finishesOlderRenewals: Bool(field: fields.finishes_older_renewals)
        )
    }

    func fill(_ fields: inout Till__V1__FinishTransactionRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.finishes_older_renewals = finishesOlderRenewals.field
    }
}

/// `till.v1.FinishTransactionResponse`: the answer of `FinishTransaction`.
package struct FinishTransactionResponse: Hashable, Sendable {
    /// The change that removed the transaction from the queue.
    package var revision: UInt64

    package init(
        revision: UInt64
    ) {
        self.revision = revision
    }
}

extension FinishTransactionResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__FinishTransactionResponse> {
        unsafe till__v1__finish_transaction_response__init
    }

    init(fields: Till__V1__FinishTransactionResponse) {
        unsafe self.init(
            revision: fields.revision
        )
    }

    func fill(_ fields: inout Till__V1__FinishTransactionResponse, _ scratch: borrowing Scratch) {
        unsafe fields.revision = revision
    }
}

/// `till.v1.ListTransactionsRequest`: the request of `ListTransactions`.
package struct ListTransactionsRequest: Hashable, Sendable {
    /// 1 to 64; 0 stands for 64.
    package var pageSize: Int
    /// The next_page_token of the page before; 0 for the first.
    package var pageToken: UInt64?
    package var includesFinished: Bool

    package init(
        pageSize: Int = 0,
        pageToken: UInt64? = nil,
        includesFinished: Bool = false
    ) {
        self.pageSize = pageSize
        self.pageToken = pageToken
        self.includesFinished = includesFinished
    }
}

extension ListTransactionsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ListTransactionsRequest> {
        unsafe till__v1__list_transactions_request__init
    }

    init(fields: Till__V1__ListTransactionsRequest) {
        unsafe self.init(
            pageSize: Int(fields.page_size),
            pageToken: fields.page_token == 0 ? nil : fields.page_token,
            includesFinished: Bool(field: fields.include_finished)
        )
    }

    func fill(_ fields: inout Till__V1__ListTransactionsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.page_size = UInt32(clamping: pageSize)
        unsafe fields.page_token = pageToken ?? 0
        unsafe fields.include_finished = includesFinished.field
    }
}

/// `till.v1.ListTransactionsResponse`: the answer of `ListTransactions`.
package struct ListTransactionsResponse: Hashable, Sendable {
    package var transactions: [Transaction]
    /// 0 after the last page.
    package var nextPageToken: UInt64?

    package init(
        transactions: [Transaction],
        nextPageToken: UInt64? = nil
    ) {
        self.transactions = transactions
        self.nextPageToken = nextPageToken
    }
}

extension ListTransactionsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ListTransactionsResponse> {
        unsafe till__v1__list_transactions_response__init
    }

    init(fields: Till__V1__ListTransactionsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transactions: Transaction.list(fields.transactions, fields.n_transactions, "transactions"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__ListTransactionsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_transactions = transactions.count
        unsafe fields.transactions = scratch.messages(transactions)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}

/// `till.v1.RestoreCompletedTransactionsRequest`: the request of `RestoreCompletedTransactions`.
package struct RestoreCompletedTransactionsRequest: Hashable, Sendable {
    /// UUID made by the client. Sending the same restore again is harmless.
    package var restoreID: UUID
    /// Restricts the restore to purchases made with this username.
    package var applicationUsername: String?

    package init(
        restoreID: UUID,
        applicationUsername: String? = nil
    ) {
        self.restoreID = restoreID
        self.applicationUsername = applicationUsername
    }
}

extension RestoreCompletedTransactionsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RestoreCompletedTransactionsRequest> {
        unsafe till__v1__restore_completed_transactions_request__init
    }

    init(fields: Till__V1__RestoreCompletedTransactionsRequest) throws(DecodingFailure) {
        try unsafe self.init(
            restoreID: UUID(fields.restore_id, "restore_id"),
            applicationUsername: fields.application_username_presence_case.rawValue == 2
                ? String(field: fields.application_username) : nil
        )
    }

    func fill(_ fields: inout Till__V1__RestoreCompletedTransactionsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(restoreID.bytes)
        if let applicationUsername {
            unsafe fields.application_username_presence_case.rawValue = 2
            unsafe fields.application_username = scratch.text(applicationUsername)
        }
    }
}

/// `till.v1.RestoreCompletedTransactionsResponse`: the answer of `RestoreCompletedTransactions`, `RestoreStatus`,
/// `CancelRestore`.
package struct RestoreCompletedTransactionsResponse: Hashable, Sendable {
    /// The running restore. It has another identity if the restore in the request joined it.
    package var restoreID: UUID
    /// A cursor from before the restore. An observer after it sees every item and the end.
    package var revision: UInt64
    package var state: RestoreState
    /// The number of transactions that were restored so far.
    package var restoredCount: Int
    /// The total number of transactions to restore, as far as known.
    package var totalCount: Int
    /// Present when failed.
    package var error: PaymentError?

    package init(
        restoreID: UUID,
        revision: UInt64,
        state: RestoreState,
        restoredCount: Int,
        totalCount: Int = 0,
        error: PaymentError? = nil
    ) {
        self.restoreID = restoreID
        self.revision = revision
        self.state = state
        self.restoredCount = restoredCount
        self.totalCount = totalCount
        self.error = error
    }
}

extension RestoreCompletedTransactionsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RestoreCompletedTransactionsResponse> {
        unsafe till__v1__restore_completed_transactions_response__init
    }

    init(fields: Till__V1__RestoreCompletedTransactionsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            restoreID: UUID(fields.restore_id, "restore_id"),
            revision: fields.revision,
            state: RestoreState(fields.state.rawValue, "state"),
            restoredCount: Int(fields.restored_count),
            totalCount: Int(fields.total_count),
            error: .optional(fields.error, "error")
        )
    }

    func fill(_ fields: inout Till__V1__RestoreCompletedTransactionsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(restoreID.bytes)
        unsafe fields.revision = revision
        unsafe fields.state.rawValue = state.enumerator
        unsafe fields.restored_count = UInt32(clamping: restoredCount)
        unsafe fields.total_count = UInt32(clamping: totalCount)
        unsafe fields.error = scratch.message(error)
    }
}

/// `till.v1.RestoreStatusRequest`: the request of `RestoreStatus`.
package struct RestoreStatusRequest: Hashable, Sendable {
    package var restoreID: UUID

    package init(
        restoreID: UUID
    ) {
        self.restoreID = restoreID
    }
}

extension RestoreStatusRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RestoreStatusRequest> {
        unsafe till__v1__restore_status_request__init
    }

    init(fields: Till__V1__RestoreStatusRequest) throws(DecodingFailure) {
        try unsafe self.init(
            restoreID: UUID(fields.restore_id, "restore_id")
        )
    }

    func fill(_ fields: inout Till__V1__RestoreStatusRequest, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(restoreID.bytes)
    }
}

/// `till.v1.CancelRestoreRequest`: the request of `CancelRestore`.
package struct CancelRestoreRequest: Hashable, Sendable {
    package var restoreID: UUID

    package init(
        restoreID: UUID
    ) {
        self.restoreID = restoreID
    }
}

extension CancelRestoreRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__CancelRestoreRequest> {
        unsafe till__v1__cancel_restore_request__init
    }

    init(fields: Till__V1__CancelRestoreRequest) throws(DecodingFailure) {
        try unsafe self.init(
            restoreID: UUID(fields.restore_id, "restore_id")
        )
    }

    func fill(_ fields: inout Till__V1__CancelRestoreRequest, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(restoreID.bytes)
    }
}

/// `till.v1.EntitlementsRequest`: the request of `Entitlements`.
package struct EntitlementsRequest: Hashable, Sendable {
    /// The next_page_token of the page before; 0 for the first.
    package var pageToken: UInt64?

    package init(
        pageToken: UInt64? = nil
    ) {
        self.pageToken = pageToken
    }
}

extension EntitlementsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__EntitlementsRequest> {
        unsafe till__v1__entitlements_request__init
    }

    init(fields: Till__V1__EntitlementsRequest) {
        unsafe self.init(
            pageToken: fields.page_token == 0 ? nil : fields.page_token
        )
    }

    func fill(_ fields: inout Till__V1__EntitlementsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.page_token = pageToken ?? 0
    }
}

/// `till.v1.EntitlementsResponse`: the answer of `Entitlements`.
package struct EntitlementsResponse: Hashable, Sendable {
    package var entitlements: [Entitlement]
    /// 0 after the last page.
    package var nextPageToken: UInt64?

    package init(
        entitlements: [Entitlement],
        nextPageToken: UInt64? = nil
    ) {
        self.entitlements = entitlements
        self.nextPageToken = nextPageToken
    }
}

extension EntitlementsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__EntitlementsResponse> {
        unsafe till__v1__entitlements_response__init
    }

    init(fields: Till__V1__EntitlementsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            entitlements: Entitlement.list(fields.entitlements, fields.n_entitlements, "entitlements"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__EntitlementsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_entitlements = entitlements.count
        unsafe fields.entitlements = scratch.messages(entitlements)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}

/// `till.v1.SubscriptionsRequest`: the request of `Subscriptions`.
package struct SubscriptionsRequest: Hashable, Sendable {
    /// The next_page_token of the page before; 0 for the first.
    package var pageToken: UInt64?

    package init(
        pageToken: UInt64? = nil
    ) {
        self.pageToken = pageToken
    }
}

extension SubscriptionsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SubscriptionsRequest> {
        unsafe till__v1__subscriptions_request__init
    }

    init(fields: Till__V1__SubscriptionsRequest) {
        unsafe self.init(
            pageToken: fields.page_token == 0 ? nil : fields.page_token
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.page_token = pageToken ?? 0
    }
}

/// `till.v1.SubscriptionsResponse`: the answer of `Subscriptions`.
package struct SubscriptionsResponse: Hashable, Sendable {
    package var subscriptions: [SubscriptionStatus]
    /// 0 after the last page.
    package var nextPageToken: UInt64?

    package init(
        subscriptions: [SubscriptionStatus],
        nextPageToken: UInt64? = nil
    ) {
        self.subscriptions = subscriptions
        self.nextPageToken = nextPageToken
    }
}

extension SubscriptionsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__SubscriptionsResponse> {
        unsafe till__v1__subscriptions_response__init
    }

    init(fields: Till__V1__SubscriptionsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            subscriptions: SubscriptionStatus.list(fields.subscriptions, fields.n_subscriptions, "subscriptions"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_subscriptions = subscriptions.count
        unsafe fields.subscriptions = scratch.messages(subscriptions)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}

/// `till.v1.ObserveRequest`: the request of `Observe`.
package struct ObserveRequest: Hashable, Sendable {
    /// Chosen by the client, unique on its connection; Acknowledge and Cancel name it. A newer Observe with the same
    /// one replaces this one, which ends with CANCELLED.
    package var observerID: UInt32
    /// The last revision that the observer has handled. Absent to deliver all unfinished transactions first.
    package var after: UInt64?
    /// Batches that may be unacknowledged, 1 to 16; 0 stands for 4.
    package var window: Int
    /// Events in a batch, 1 to 64; 0 stands for 64.
    package var batchSize: Int
    /// True if the observer lost its stream during the initial delivery and resumes it after the cursor. The end mark
    /// then follows all changes up to now. Ignored without `after`.
    package var resumesInitialDelivery: Bool
    /// Deliver only the newest of a subscription's unfinished renewals, with the count of those that it replaces.
    package var collapsesRenewals: Bool
    /// The observer is passive: events that it acknowledges are still delivered to other observers, which act on them.
    package var isPassive: Bool

    package init(
        observerID: UInt32,
        after: UInt64? = nil,
        window: Int = 0,
        batchSize: Int = 0,
        resumesInitialDelivery: Bool = false,
        collapsesRenewals: Bool = false,
        isPassive: Bool = false
    ) {
        self.observerID = observerID
        self.after = after
        self.window = window
        self.batchSize = batchSize
        self.resumesInitialDelivery = resumesInitialDelivery
        self.collapsesRenewals = collapsesRenewals
        self.isPassive = isPassive
    }
}

extension ObserveRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ObserveRequest> {
        unsafe till__v1__observe_request__init
    }

    init(fields: Till__V1__ObserveRequest) {
        unsafe self.init(
            observerID: fields.observer_id,
            after: fields.after_presence_case.rawValue == 2
                ? fields.after : nil,
            window: Int(fields.window),
            batchSize: Int(fields.batch_size),
            resumesInitialDelivery: Bool(field: fields.resumes_initial_delivery),
            collapsesRenewals: Bool(field: fields.collapses_renewals),
            isPassive: Bool(field: fields.is_passive)
        )
    }

    func fill(_ fields: inout Till__V1__ObserveRequest, _ scratch: borrowing Scratch) {
        unsafe fields.observer_id = observerID
        if let after {
            unsafe fields.after_presence_case.rawValue = 2
            unsafe fields.after = after
        }
        unsafe fields.window = UInt32(clamping: window)
        unsafe fields.batch_size = UInt32(clamping: batchSize)
        unsafe fields.resumes_initial_delivery = resumesInitialDelivery.field
        unsafe fields.collapses_renewals = collapsesRenewals.field
        unsafe fields.is_passive = isPassive.field
    }
}

/// Travels as `till.v1.ObserveResponse`.
extension EventBatch: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ObserveResponse> {
        unsafe till__v1__observe_response__init
    }

    init(fields: Till__V1__ObserveResponse) throws(DecodingFailure) {
        try unsafe self.init(
            revision: fields.revision,
            events: QueueEvent.list(fields.events, fields.n_events, "events")
        )
    }

    func fill(_ fields: inout Till__V1__ObserveResponse, _ scratch: borrowing Scratch) {
        unsafe fields.revision = revision
        unsafe fields.n_events = events.count
        unsafe fields.events = scratch.messages(events)
    }
}

/// Downloads changed their state, which is a change of the queue, or made progress, which is not. Progress is sent at
/// most ten times a second for each download, and repeats the revision of the previous batch.
package struct DownloadsUpdated: Hashable, Sendable {
    package var downloads: [Download]

    package init(
        downloads: [Download]
    ) {
        self.downloads = downloads
    }
}

extension DownloadsUpdated: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__DownloadsUpdated> {
        unsafe till__v1__downloads_updated__init
    }

    init(fields: Till__V1__DownloadsUpdated) throws(DecodingFailure) {
        try unsafe self.init(
            downloads: Download.list(fields.downloads, fields.n_downloads, "downloads")
        )
    }

    func fill(_ fields: inout Till__V1__DownloadsUpdated, _ scratch: borrowing Scratch) {
        unsafe fields.n_downloads = downloads.count
        unsafe fields.downloads = scratch.messages(downloads)
    }
}

/// `till.v1.RestoreFinished`.
package struct RestoreFinished: Hashable, Sendable {
    package var restoreID: UUID
    package var restoredCount: Int

    package init(
        restoreID: UUID,
        restoredCount: Int
    ) {
        self.restoreID = restoreID
        self.restoredCount = restoredCount
    }
}

extension RestoreFinished: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RestoreFinished> {
        unsafe till__v1__restore_finished__init
    }

    init(fields: Till__V1__RestoreFinished) throws(DecodingFailure) {
        try unsafe self.init(
            restoreID: UUID(fields.restore_id, "restore_id"),
            restoredCount: Int(fields.restored_count)
        )
    }

    func fill(_ fields: inout Till__V1__RestoreFinished, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(restoreID.bytes)
        unsafe fields.restored_count = UInt32(clamping: restoredCount)
    }
}

/// `till.v1.RestoreFailed`.
package struct RestoreFailed: Hashable, Sendable {
    package var restoreID: UUID
    package var error: PaymentError

    package init(
        restoreID: UUID,
        error: PaymentError
    ) {
        self.restoreID = restoreID
        self.error = error
    }
}

extension RestoreFailed: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RestoreFailed> {
        unsafe till__v1__restore_failed__init
    }

    init(fields: Till__V1__RestoreFailed) throws(DecodingFailure) {
        try unsafe self.init(
            restoreID: UUID(fields.restore_id, "restore_id"),
            error: .required(fields.error, "error")
        )
    }

    func fill(_ fields: inout Till__V1__RestoreFailed, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(restoreID.bytes)
        unsafe fields.error = scratch.message(error)
    }
}

/// `till.v1.InitialDeliveryStarted`.
package struct InitialDeliveryStarted: Hashable, Sendable {
    /// True if the queue no longer keeps the observer's cursor.
    package var isReset: Bool

    package init(
        isReset: Bool
    ) {
        self.isReset = isReset
    }
}

extension InitialDeliveryStarted: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__InitialDeliveryStarted> {
        unsafe till__v1__initial_delivery_started__init
    }

    init(fields: Till__V1__InitialDeliveryStarted) {
        unsafe self.init(
            isReset: Bool(field: fields.is_reset)
        )
    }

    func fill(_ fields: inout Till__V1__InitialDeliveryStarted, _ scratch: borrowing Scratch) {
        unsafe fields.is_reset = isReset.field
    }
}

/// `till.v1.InitialDeliveryEnded`.
package struct InitialDeliveryEnded: Hashable, Sendable {
    package init() {}
}

extension InitialDeliveryEnded: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__InitialDeliveryEnded> {
        unsafe till__v1__initial_delivery_ended__init
    }

    init(fields: Till__V1__InitialDeliveryEnded) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__InitialDeliveryEnded, _ scratch: borrowing Scratch) {}
}

/// `till.v1.AcknowledgeRequest`: the request of `Acknowledge`.
package struct AcknowledgeRequest: Hashable, Sendable {
    package var observerID: UInt32
    /// All batches up to this revision were handled.
    package var revision: UInt64

    package init(
        observerID: UInt32,
        revision: UInt64
    ) {
        self.observerID = observerID
        self.revision = revision
    }
}

extension AcknowledgeRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AcknowledgeRequest> {
        unsafe till__v1__acknowledge_request__init
    }

    init(fields: Till__V1__AcknowledgeRequest) {
        unsafe self.init(
            observerID: fields.observer_id,
            revision: fields.revision
        )
    }

    func fill(_ fields: inout Till__V1__AcknowledgeRequest, _ scratch: borrowing Scratch) {
        unsafe fields.observer_id = observerID
        unsafe fields.revision = revision
    }
}

/// `till.v1.AcknowledgeResponse`: the answer of `Acknowledge`.
package struct AcknowledgeResponse: Hashable, Sendable {
    package init() {}
}

extension AcknowledgeResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AcknowledgeResponse> {
        unsafe till__v1__acknowledge_response__init
    }

    init(fields: Till__V1__AcknowledgeResponse) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__AcknowledgeResponse, _ scratch: borrowing Scratch) {}
}

/// Each field that is set names calls to end. A request may set several.
package struct CancelRequest: Hashable, Sendable {
    /// All other calls whose metadata "call-id" has this value; none if empty.
    package var callID: String
    /// The Observe with this observer_id.
    package var observerID: UInt32?
    /// The Watch with this watch_id; none if 0.
    package var watchID: UInt32

    package init(
        callID: String = "",
        observerID: UInt32? = nil,
        watchID: UInt32 = 0
    ) {
        self.callID = callID
        self.observerID = observerID
        self.watchID = watchID
    }
}

extension CancelRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__CancelRequest> {
        unsafe till__v1__cancel_request__init
    }

    init(fields: Till__V1__CancelRequest) {
        unsafe self.init(
            callID: String(field: fields.call_id),
            observerID: fields.observer_id_presence_case.rawValue == 2
                ? fields.observer_id : nil,
            watchID: fields.watch_id
        )
    }

    func fill(_ fields: inout Till__V1__CancelRequest, _ scratch: borrowing Scratch) {
        unsafe fields.call_id = scratch.text(callID)
        if let observerID {
            unsafe fields.observer_id_presence_case.rawValue = 2
            unsafe fields.observer_id = observerID
        }
        unsafe fields.watch_id = watchID
    }
}

/// `till.v1.CancelResponse`: the answer of `Cancel`.
package struct CancelResponse: Hashable, Sendable {
    /// False if none of the named calls was running.
    package var found: Bool

    package init(
        found: Bool
    ) {
        self.found = found
    }
}

extension CancelResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__CancelResponse> {
        unsafe till__v1__cancel_response__init
    }

    init(fields: Till__V1__CancelResponse) {
        unsafe self.init(
            found: Bool(field: fields.found)
        )
    }

    func fill(_ fields: inout Till__V1__CancelResponse, _ scratch: borrowing Scratch) {
        unsafe fields.found = found.field
    }
}
