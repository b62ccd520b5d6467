extension Schema {
    /// Finds the charge of a renewal by its payment, which is how a provider names it.
    static let version11 = "CREATE INDEX renewal_charges_by_payment ON renewal_charges (payment_id);"

    /// Counts the refunds that need an operator's decision.
    static let version12 = "CREATE INDEX refunds_in_review ON refunds (state) WHERE state = 3;"

    /// The host of each operator's action. A ledger in SQLite has one host, which stays empty; one that was moved has those of
    /// the ledger that it comes from.
    static let version13 = "ALTER TABLE audit ADD COLUMN host TEXT NOT NULL DEFAULT '';"
}
