extension Schema {
    /// A charge knows the offer that it is of, and what its subscription costs after that, so that nothing that the store
    /// does meanwhile changes what was agreed to. Renewals that are under way get the offer of their subscription.
    static let version5 = """
        ALTER TABLE charges ADD COLUMN amount_after_offer INTEGER;
        ALTER TABLE charges ADD COLUMN renewal_offer_type INTEGER CHECK (renewal_offer_type BETWEEN 0 AND 3);
        ALTER TABLE charges ADD COLUMN renewal_offer_id TEXT;
        ALTER TABLE charges ADD COLUMN renewal_offer_mode INTEGER CHECK (renewal_offer_mode BETWEEN 0 AND 2);
        UPDATE charges SET renewal_offer_type = s.offer_type, renewal_offer_id = s.offer_id,
            renewal_offer_mode = s.offer_mode
        FROM subscriptions s
        WHERE charges.subscription_key = s.key AND charges.transaction_key IS NULL AND charges.amount = s.offer_amount
            AND charges.currency = s.currency AND s.offer_remaining > 0;
        """
}
