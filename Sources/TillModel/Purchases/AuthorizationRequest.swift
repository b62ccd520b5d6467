public import FoundationEssentials

/// A question that an authorisation agent asks a person.
public struct AuthorizationRequest: Hashable, Sendable, Identifiable {
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// Whether the user pays.
        case purchase = 0
        /// Whether the buyer's approver allows the purchase: Ask to Buy.
        case approval = 1
        /// Whether the user consents to a higher price of a subscription.
        case priceConsent = 2
        /// Whether the user pays on the provider's page, which is asked for to be shown. It can only be declined: paying
        /// answers it.
        case payment = 3
    }

    /// The payment's id; for a price consent, the id of the subscription's first payment.
    public var id: UUID
    public var kind: Kind
    public var application: String
    /// The paying account.
    public var account: String
    public var productID: String
    public var displayName: String
    public var quantity: Int
    /// The total price for the quantity.
    public var price: Price
    /// BCP 47: the language of the name and the format of the price.
    public var locale: String
    public var applicationUsername: String?
    public var createdAt: Date
    /// Without an answer by this time, the payment fails or the subscription expires. It is approximate for a payment on the
    /// provider's page.
    public var deadline: Date

    public init(
        id: UUID,
        kind: Kind,
        application: String,
        account: String,
        productID: String,
        displayName: String,
        quantity: Int,
        price: Price,
        locale: String,
        applicationUsername: String? = nil,
        createdAt: Date,
        deadline: Date
    ) {
        self.id = id
        self.kind = kind
        self.application = application
        self.account = account
        self.productID = productID
        self.displayName = displayName
        self.quantity = quantity
        self.price = price
        self.locale = locale
        self.applicationUsername = applicationUsername
        self.createdAt = createdAt
        self.deadline = deadline
    }
}

/// An event for an authorisation agent.
public enum AuthorizationEvent: Hashable, Sendable {
    /// A request was opened and needs an answer.
    case requested(AuthorizationRequest)
    /// A request was answered or has expired.
    case withdrawn(id: UUID, kind: AuthorizationRequest.Kind)
}

/// The handling of a payment that needs consent while no authorisation agent is available.
public enum AuthorizationPolicy: Int, Hashable, Sendable, CaseIterable {
    /// The payment is approved automatically.
    case automatic = 0
    /// The payment fails.
    case refuse = 1
    /// The payment waits for an agent until its deadline.
    case wait = 2
}
