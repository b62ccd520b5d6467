extension Schema {
    /// Finds the charge of a renewal by its payment, which is how a provider names it.
    static let version11 = "CREATE INDEX renewal_charges_by_payment ON renewal_charges (payment_id);"
}
