import FoundationEssentials
import TillModel

/// Whether a payment is possible, and its price, by the catalogue and what the account owns, before a person is asked.
enum PurchasePlan: Equatable {
    /// The rows and facts that it depends on.
    struct Facts {
        /// The product, as the present storefront sells it.
        var product: Product?
        var canMakePayments = true
        var settings = StoreSettings()
        /// The transaction that entitles the account to the product already.
        var entitlement: TransactionRecord?
        /// The account's subscription to the product's group.
        var subscription: SubscriptionRecord?
        /// The product that the account is subscribed to.
        var subscribedProduct: Product?
        /// The error of the payment's discount.
        var discountFault: PaymentError?
        var now: Date
    }

    case refused(PaymentError)
    /// The account bought it before, so that it costs nothing.
    case owned(OriginalRecord)
    case due(PurchasePrice)

    static func make(_ payment: Payment, _ facts: Facts) -> PurchasePlan {
        guard let product = facts.product else {
            return .refused(unavailable(payment.productID))
        }
        if let error = refusal(of: payment, product, facts) {
            return .refused(error)
        }
        guard product.subscription == nil else {
            return SubscriptionPurchase.plan(payment, product, facts)
        }
        if let owned = facts.entitlement {
            return .owned(owned.asOriginal)
        }
        guard let amount = product.price.minorUnits(quantity: payment.quantity) else {
            return .refused(unchargeable(product))
        }
        let exclusiveGroup = product.type == .nonConsumable ? product.id : nil
        return .due(PurchasePrice(amount: amount, currency: product.price.currency, exclusiveGroup: exclusiveGroup))
    }

    private static func refusal(of payment: Payment, _ product: Product, _ facts: Facts) -> PaymentError? {
        guard facts.canMakePayments else {
            return PaymentError(
                .paymentNotAllowed,
                "This account may not make payments.",
                retry: .never,
                reason: .notAllowed
            )
        }
        guard payment.requestData == nil else {
            return PaymentError(
                .unauthorizedRequestData,
                "requestData is reserved; leave it unset.",
                reason: .invalidPayment
            )
        }
        guard payment.quantity == 1 || !product.type.isRestorable else {
            return PaymentError(
                .paymentInvalid,
                "\(payment.productID) can be owned only once: use quantity 1.",
                reason: .invalidPayment
            )
        }
        guard payment.discount == nil || product.subscription != nil else {
            return PaymentError(
                .invalidOfferIdentifier,
                "\(payment.productID) is not an auto-renewable subscription, and has no offers.",
                reason: .invalidOffer
            )
        }
        guard !facts.settings.failsTransactions else {
            return PaymentError(
                facts.settings.transactionError,
                "The simulated store is set to fail payments.",
                reason: .simulated
            )
        }
        return nil
    }

    static func unchargeable(_ product: Product) -> PaymentError {
        PaymentError(
            .paymentInvalid,
            "The price of \(product.id) cannot be charged in \(product.price.currency).",
            retry: .never,
            reason: .invalidPayment
        )
    }

    private static func unavailable(_ productID: String) -> PaymentError {
        PaymentError(
            .storeProductNotAvailable,
            "The store has no product \(productID).",
            retry: .never,
            reason: .productUnavailable
        )
    }
}

/// The price of a payment.
struct PurchasePrice: Equatable {
    /// Minor units for all of the quantity.
    var amount: Int64
    /// ISO 4217.
    var currency: String
    /// As ``ChargeRecord/exclusiveGroup``.
    var exclusiveGroup: String?
    /// The offer that it is the price of.
    var offer: AppliedOffer?
    /// Minor units that each period costs after the offer; nil without one.
    var amountAfterOffer: Int64?
}
