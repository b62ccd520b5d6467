// Generated from Proto/till/v1/payment_methods.proto by `make proto`. Change that file instead.

import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

/// The payment methods that the account keeps at the provider, and that pay for the renewals of its subscriptions.
/// Processes in a sandbox may not use them.
package enum PaymentMethodsMethod: String, ServiceMethod {
    /// At most 100, the newest first.
    case listPaymentMethods = "ListPaymentMethods"
    /// Removes one of them from the account. No renewal is paid with it any more.
    case removePaymentMethod = "RemovePaymentMethod"
    /// The provider's page on which the payer adds a payment method, or manages all of them, as the provider names it
    /// now.
    case paymentMethodPage = "PaymentMethodPage"

    package static let service = "till.v1.PaymentMethods"
}

extension ListPaymentMethodsRequest: Call {
    package typealias Response = ListPaymentMethodsResponse

    package static let path = MethodPath(PaymentMethodsMethod.listPaymentMethods)
}

extension RemovePaymentMethodRequest: Call {
    package typealias Response = RemovePaymentMethodResponse

    package static let path = MethodPath(PaymentMethodsMethod.removePaymentMethod)
}

extension PaymentMethodPageRequest: Call {
    package typealias Response = PaymentMethodPageResponse

    package static let path = MethodPath(PaymentMethodsMethod.paymentMethodPage)
}

extension PaymentMethod: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__PaymentMethod> {
        unsafe till__v1__payment_method__init
    }

    init(fields: Till__V1__PaymentMethod) {
        unsafe self.init(
            id: String(field: fields.id),
            type: String(field: fields.type),
            brand: .optional(fields.brand),
            lastDigits: .optional(fields.last_digits),
            expirationMonth: .optional(fields.expiration_month),
            isDefault: Bool(field: fields.is_default)
        )
    }

    func fill(_ fields: inout Till__V1__PaymentMethod, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.text(id)
        unsafe fields.type = scratch.text(type)
        unsafe fields.brand = scratch.text(brand ?? "")
        unsafe fields.last_digits = scratch.text(lastDigits ?? "")
        unsafe fields.expiration_month = scratch.text(expirationMonth ?? "")
        unsafe fields.is_default = isDefault.field
    }
}

/// `till.v1.ListPaymentMethodsRequest`: the request of `ListPaymentMethods`.
package struct ListPaymentMethodsRequest: Hashable, Sendable {
    package init() {}
}

extension ListPaymentMethodsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ListPaymentMethodsRequest> {
        unsafe till__v1__list_payment_methods_request__init
    }

    init(fields: Till__V1__ListPaymentMethodsRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__ListPaymentMethodsRequest, _ scratch: borrowing Scratch) {}
}

/// `till.v1.ListPaymentMethodsResponse`: the answer of `ListPaymentMethods`.
package struct ListPaymentMethodsResponse: Hashable, Sendable {
    package var paymentMethods: [PaymentMethod]

    package init(
        paymentMethods: [PaymentMethod]
    ) {
        self.paymentMethods = paymentMethods
    }
}

extension ListPaymentMethodsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ListPaymentMethodsResponse> {
        unsafe till__v1__list_payment_methods_response__init
    }

    init(fields: Till__V1__ListPaymentMethodsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            paymentMethods: PaymentMethod.list(fields.payment_methods, fields.n_payment_methods, "payment_methods")
        )
    }

    func fill(_ fields: inout Till__V1__ListPaymentMethodsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_payment_methods = paymentMethods.count
        unsafe fields.payment_methods = scratch.messages(paymentMethods)
    }
}

/// `till.v1.RemovePaymentMethodRequest`: the request of `RemovePaymentMethod`.
package struct RemovePaymentMethodRequest: Hashable, Sendable {
    package var paymentMethodID: String

    package init(
        paymentMethodID: String
    ) {
        self.paymentMethodID = paymentMethodID
    }
}

extension RemovePaymentMethodRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RemovePaymentMethodRequest> {
        unsafe till__v1__remove_payment_method_request__init
    }

    init(fields: Till__V1__RemovePaymentMethodRequest) {
        unsafe self.init(
            paymentMethodID: String(field: fields.payment_method_id)
        )
    }

    func fill(_ fields: inout Till__V1__RemovePaymentMethodRequest, _ scratch: borrowing Scratch) {
        unsafe fields.payment_method_id = scratch.text(paymentMethodID)
    }
}

/// `till.v1.RemovePaymentMethodResponse`: the answer of `RemovePaymentMethod`.
package struct RemovePaymentMethodResponse: Hashable, Sendable {
    package init() {}
}

extension RemovePaymentMethodResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RemovePaymentMethodResponse> {
        unsafe till__v1__remove_payment_method_response__init
    }

    init(fields: Till__V1__RemovePaymentMethodResponse) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__RemovePaymentMethodResponse, _ scratch: borrowing Scratch) {}
}

/// `till.v1.PaymentMethodPageRequest`: the request of `PaymentMethodPage`.
package struct PaymentMethodPageRequest: Hashable, Sendable {
    package var task: PaymentMethodTask

    package init(
        task: PaymentMethodTask
    ) {
        self.task = task
    }
}

extension PaymentMethodPageRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__PaymentMethodPageRequest> {
        unsafe till__v1__payment_method_page_request__init
    }

    init(fields: Till__V1__PaymentMethodPageRequest) throws(DecodingFailure) {
        try unsafe self.init(
            task: PaymentMethodTask(fields.task.rawValue, "task")
        )
    }

    func fill(_ fields: inout Till__V1__PaymentMethodPageRequest, _ scratch: borrowing Scratch) {
        unsafe fields.task.rawValue = task.enumerator
    }
}

/// `till.v1.PaymentMethodPageResponse`: the answer of `PaymentMethodPage`.
package struct PaymentMethodPageResponse: Hashable, Sendable {
    /// A URL. Anyone who has it can change the payment methods: show it to the user, and store it nowhere.
    package var url: String

    package init(
        url: String
    ) {
        self.url = url
    }
}

extension PaymentMethodPageResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__PaymentMethodPageResponse> {
        unsafe till__v1__payment_method_page_response__init
    }

    init(fields: Till__V1__PaymentMethodPageResponse) {
        unsafe self.init(
            url: String(field: fields.url)
        )
    }

    func fill(_ fields: inout Till__V1__PaymentMethodPageResponse, _ scratch: borrowing Scratch) {
        unsafe fields.url = scratch.text(url)
    }
}
