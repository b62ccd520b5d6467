extension Schema {
    /// A charge knows what its subscription costs after the offer, so that nothing that the store does meanwhile changes
    /// what was agreed to.
    static let version5 = """
        ALTER TABLE charges ADD COLUMN amount_after_offer INTEGER;
        """
}
