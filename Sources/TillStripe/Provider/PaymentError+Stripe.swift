import TillModel

extension PaymentError {
    /// The error for a payment that Stripe or the card's issuer declined (https://docs.stripe.com/declines/codes).
    init(declined error: StripeError) {
        // A person who tries stolen cards must not learn what gave them away.
        guard error.declineCode != "fraudulent" else {
            self = PaymentError(
                .unknown,
                "The card was declined.",
                retry: .never,
                reason: .providerDeclined,
                providerCode: "card_declined"
            )
            return
        }
        self = PaymentError(
            .unknown,
            error.message ?? "The payment was declined.",
            retry: error.allowsRetry ? .safe : .never,
            reason: .providerDeclined,
            providerCode: error.declineCode ?? error.code
        )
    }

    /// The payer did not pay before the page expired.
    static let expired = PaymentError(
        .paymentCancelled,
        "The payer did not pay, and nothing was charged.",
        reason: .expired
    )

    static let withdrawn = PaymentError(
        .paymentCancelled,
        "The payment was withdrawn, and nothing was charged.",
        reason: .withdrawn
    )

    /// The payer would have to act, and is not there.
    static let payerNeeded = PaymentError(
        .unknown,
        "The bank wants the payer to confirm the payment, and nothing was charged.",
        retry: .never,
        reason: .providerDeclined,
        providerCode: "authentication_required"
    )

    /// There is nothing to pay with.
    static let noPaymentMethod = PaymentError(
        .clientInvalid,
        "No payment method is saved, and nothing was charged: add one and try again.",
        retry: .never,
        reason: .providerDeclined,
        providerCode: "payment_method_missing"
    )
}

extension StripeError {
    /// Whether another attempt with the same payment method may succeed.
    fileprivate var allowsRetry: Bool {
        !Self.finalAdvice.contains(adviceCode ?? "") && !Self.finalCodes.contains(code ?? "")
            && !Self.finalCodes.contains(declineCode ?? "")
    }

    private static let finalAdvice: Set = ["do_not_try_again", "confirm_card_data"]

    private static let finalCodes: Set = [
        "authentication_required", "expired_card", "incorrect_cvc", "invalid_cvc", "incorrect_number", "lost_card",
        "pickup_card", "restricted_card", "stolen_card",
    ]
}
