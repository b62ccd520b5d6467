import FoundationEssentials
import TillModel

/// What becomes of a payment that is added to a queue.
struct AddPaymentDecision: Equatable {
    /// The rows and facts that it depends on.
    struct Facts {
        var product: Product?
        /// The transaction that entitles the account to the product already.
        var entitlement: TransactionRecord?
        /// Whether another charge for the same product is under way in the queue.
        var hasOpenCharge = false
        var canMakePayments = true
    }

    /// What is left to charge.
    enum Charge: Equatable {
        case none
        /// Minor units for all of the quantity. A charge that waits comes after another one for the same product.
        case due(amount: Int64, currency: String, waits: Bool)
    }

    var state: TransactionState
    var error: PaymentError?
    var original: OriginalRecord?
    var isEntitlement = false
    var charge = Charge.none

    static func decide(_ payment: Payment, _ facts: Facts) -> AddPaymentDecision {
        if let error = refusal(of: payment, facts) {
            return AddPaymentDecision(state: .failed, error: error)
        }
        guard let product = facts.product, let amount = product.price.minorUnits(quantity: payment.quantity) else {
            return AddPaymentDecision(state: .failed, error: unavailable(payment.productID))
        }
        if let owned = facts.entitlement {
            return AddPaymentDecision(state: .purchased, original: owned.asOriginal)
        }
        guard amount > 0 else {
            return AddPaymentDecision(state: .purchased, isEntitlement: product.type.isRestorable)
        }
        let waits = facts.hasOpenCharge && product.type.isRestorable
        return AddPaymentDecision(
            state: .purchasing,
            charge: .due(amount: amount, currency: product.price.currency, waits: waits)
        )
    }

    private static func refusal(of payment: Payment, _ facts: Facts) -> PaymentError? {
        guard facts.canMakePayments else {
            return PaymentError(.paymentNotAllowed, "This account may not make payments.", retry: .never)
        }
        guard payment.requestData == nil else {
            return PaymentError(.unauthorizedRequestData, "requestData is reserved; leave it unset.", retry: .safe)
        }
        guard let product = facts.product else {
            return unavailable(payment.productID)
        }
        guard payment.quantity == 1 || !product.type.isRestorable else {
            return PaymentError(.paymentInvalid, "\(payment.productID) is bought once; its quantity must be 1.")
        }
        guard product.price.minorUnits(quantity: payment.quantity) != nil else {
            return PaymentError(
                .paymentInvalid,
                "The price of \(payment.productID) cannot be charged in \(product.price.currency).",
                retry: .never
            )
        }
        return nil
    }

    private static func unavailable(_ productID: String) -> PaymentError {
        PaymentError(.storeProductNotAvailable, "The store has no product \(productID).", retry: .never)
    }
}
