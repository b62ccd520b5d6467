// Generated from Proto/till/v1/authorization.proto by `make proto`. Change that file instead.

import CTillMessages
package import FoundationEssentials
import ProtobufCodec
package import TillModel

/// Requests for consent before an account is charged, for the agents that ask people.
package enum AuthorizationMethod: String, ServiceMethod {
    /// The open requests that the caller may answer, in pages of 32.
    case listRequests = "ListRequests"
    /// Streams at most 256 open requests that the caller may answer, further ones as those close, and withdrawn
    /// requests. While the stream lasts, the caller's user has an agent.
    case watch = "Watch"
    /// Responds once the person's answer is durable. Later answers change nothing.
    case answer = "Answer"
    /// The page on which a payment of kind AUTHORIZATION_PAYMENT is paid, as the provider names it now.
    case paymentPage = "PaymentPage"

    package static let service = "till.v1.Authorization"
}

extension ListAuthorizationRequestsRequest: Call {
    package typealias Response = ListAuthorizationRequestsResponse

    package static let path = MethodPath(AuthorizationMethod.listRequests)
}

extension WatchRequest: StreamingCall {
    package typealias Element = WatchResponse

    package static let path = MethodPath(AuthorizationMethod.watch)
}

extension AnswerRequest: Call {
    package typealias Response = AnswerResponse

    package static let path = MethodPath(AuthorizationMethod.answer)
}

extension PaymentPageRequest: Call {
    package typealias Response = PaymentPageResponse

    package static let path = MethodPath(AuthorizationMethod.paymentPage)
}

extension AuthorizationRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AuthorizationRequest> {
        unsafe till__v1__authorization_request__init
    }

    init(fields: Till__V1__AuthorizationRequest) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            kind: Kind(fields.kind.rawValue, "kind"),
            application: String(field: fields.application),
            account: String(field: fields.account),
            productID: String(field: fields.product_id),
            displayName: String(field: fields.display_name),
            quantity: Int(fields.quantity),
            price: .required(fields.price, "price"),
            locale: String(field: fields.locale),
            applicationUsername: fields.application_username_presence_case.rawValue == 10
                ? String(field: fields.application_username) : nil,
            createdAt: Date(milliseconds: Int64(fields.created_ms)),
            deadline: Date(milliseconds: Int64(fields.deadline_ms))
        )
    }

    func fill(_ fields: inout Till__V1__AuthorizationRequest, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.kind.rawValue = kind.enumerator
        unsafe fields.application = scratch.text(application)
        unsafe fields.account = scratch.text(account)
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.display_name = scratch.text(displayName)
        unsafe fields.quantity = UInt32(clamping: quantity)
        unsafe fields.price = scratch.message(price)
        unsafe fields.locale = scratch.text(locale)
        if let applicationUsername {
            unsafe fields.application_username_presence_case.rawValue = 10
            unsafe fields.application_username = scratch.text(applicationUsername)
        }
        unsafe fields.created_ms = createdAt.milliseconds
        unsafe fields.deadline_ms = deadline.milliseconds
    }
}

/// `till.v1.ListAuthorizationRequestsRequest`: the request of `ListRequests`.
package struct ListAuthorizationRequestsRequest: Hashable, Sendable {
    /// The next_page_token of the page before; 0 for the first.
    package var pageToken: UInt64?

    package init(
        pageToken: UInt64? = nil
    ) {
        self.pageToken = pageToken
    }
}

extension ListAuthorizationRequestsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ListAuthorizationRequestsRequest> {
        unsafe till__v1__list_authorization_requests_request__init
    }

    init(fields: Till__V1__ListAuthorizationRequestsRequest) {
        unsafe self.init(
            pageToken: fields.page_token == 0 ? nil : fields.page_token
        )
    }

    func fill(_ fields: inout Till__V1__ListAuthorizationRequestsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.page_token = pageToken ?? 0
    }
}

/// `till.v1.ListAuthorizationRequestsResponse`: the answer of `ListRequests`.
package struct ListAuthorizationRequestsResponse: Hashable, Sendable {
    package var requests: [AuthorizationRequest]
    /// 0 after the last page.
    package var nextPageToken: UInt64?

    package init(
        requests: [AuthorizationRequest],
        nextPageToken: UInt64? = nil
    ) {
        self.requests = requests
        self.nextPageToken = nextPageToken
    }
}

extension ListAuthorizationRequestsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ListAuthorizationRequestsResponse> {
        unsafe till__v1__list_authorization_requests_response__init
    }

    init(fields: Till__V1__ListAuthorizationRequestsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            requests: AuthorizationRequest.list(fields.requests, fields.n_requests, "requests"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__ListAuthorizationRequestsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_requests = requests.count
        unsafe fields.requests = scratch.messages(requests)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}

/// `till.v1.WatchRequest`: the request of `Watch`.
package struct WatchRequest: Hashable, Sendable {
    /// Chosen by the client, unique on its connection; Cancel names it. A newer Watch with the same one replaces this
    /// one, which ends with CANCELLED. 0 is not a name.
    package var watchID: UInt32

    package init(
        watchID: UInt32 = 0
    ) {
        self.watchID = watchID
    }
}

extension WatchRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__WatchRequest> {
        unsafe till__v1__watch_request__init
    }

    init(fields: Till__V1__WatchRequest) {
        unsafe self.init(
            watchID: fields.watch_id
        )
    }

    func fill(_ fields: inout Till__V1__WatchRequest, _ scratch: borrowing Scratch) {
        unsafe fields.watch_id = watchID
    }
}

/// `till.v1.AuthorizationWithdrawn`.
package struct AuthorizationWithdrawn: Hashable, Sendable {
    package var id: UUID
    package var kind: AuthorizationRequest.Kind

    package init(
        id: UUID,
        kind: AuthorizationRequest.Kind
    ) {
        self.id = id
        self.kind = kind
    }
}

extension AuthorizationWithdrawn: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AuthorizationWithdrawn> {
        unsafe till__v1__authorization_withdrawn__init
    }

    init(fields: Till__V1__AuthorizationWithdrawn) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            kind: AuthorizationRequest.Kind(fields.kind.rawValue, "kind")
        )
    }

    func fill(_ fields: inout Till__V1__AuthorizationWithdrawn, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.kind.rawValue = kind.enumerator
    }
}

/// `till.v1.AnswerRequest`: the request of `Answer`.
package struct AnswerRequest: Hashable, Sendable {
    package var id: UUID
    package var kind: AuthorizationRequest.Kind
    package var approves: Bool
    /// The person's words, which may be empty; at most 256 bytes.
    package var reason: String
    /// The price of the request that the person saw. Needed to agree to a price increase, which may have been raised
    /// since.
    package var price: Price?

    package init(
        id: UUID,
        kind: AuthorizationRequest.Kind,
        approves: Bool = false,
        reason: String = "",
        price: Price? = nil
    ) {
        self.id = id
        self.kind = kind
        self.approves = approves
        self.reason = reason
        self.price = price
    }
}

extension AnswerRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AnswerRequest> {
        unsafe till__v1__answer_request__init
    }

    init(fields: Till__V1__AnswerRequest) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            kind: AuthorizationRequest.Kind(fields.kind.rawValue, "kind"),
            approves: Bool(field: fields.approves),
            reason: String(field: fields.reason),
            price: .optional(fields.price, "price")
        )
    }

    func fill(_ fields: inout Till__V1__AnswerRequest, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.kind.rawValue = kind.enumerator
        unsafe fields.approves = approves.field
        unsafe fields.reason = scratch.text(reason)
        unsafe fields.price = scratch.message(price)
    }
}

/// `till.v1.AnswerResponse`: the answer of `Answer`.
package struct AnswerResponse: Hashable, Sendable {
    package init() {}
}

extension AnswerResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AnswerResponse> {
        unsafe till__v1__answer_response__init
    }

    init(fields: Till__V1__AnswerResponse) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__AnswerResponse, _ scratch: borrowing Scratch) {}
}

/// `till.v1.PaymentPageRequest`: the request of `PaymentPage`.
package struct PaymentPageRequest: Hashable, Sendable {
    /// The payment's UUID.
    package var id: UUID

    package init(
        id: UUID
    ) {
        self.id = id
    }
}

extension PaymentPageRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__PaymentPageRequest> {
        unsafe till__v1__payment_page_request__init
    }

    init(fields: Till__V1__PaymentPageRequest) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id")
        )
    }

    func fill(_ fields: inout Till__V1__PaymentPageRequest, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
    }
}

/// `till.v1.PaymentPageResponse`: the answer of `PaymentPage`.
package struct PaymentPageResponse: Hashable, Sendable {
    /// A URL. Anyone who has it can see what is bought, and pay: show it to the user, and store it nowhere.
    package var url: String

    package init(
        url: String
    ) {
        self.url = url
    }
}

extension PaymentPageResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__PaymentPageResponse> {
        unsafe till__v1__payment_page_response__init
    }

    init(fields: Till__V1__PaymentPageResponse) {
        unsafe self.init(
            url: String(field: fields.url)
        )
    }

    func fill(_ fields: inout Till__V1__PaymentPageResponse, _ scratch: borrowing Scratch) {
        unsafe fields.url = scratch.text(url)
    }
}
