extension Schema {
    /// Finds the charge of a renewal by its payment, which is how a provider names it.
    static let version11 = "CREATE INDEX renewal_charges_by_payment ON renewal_charges (payment_id);"

    /// Counts the refunds that need an operator's decision.
    static let version12 = "CREATE INDEX refunds_in_review ON refunds (state) WHERE state = 3;"
}
