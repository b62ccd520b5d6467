extension Schema {
    /// A subscription knows when its present series of periods began. Of older subscriptions, that is the start of the
    /// last period that no other one ended less than 60 days before.
    static let version9 = """
        ALTER TABLE subscriptions ADD COLUMN recent_start INTEGER;
        UPDATE subscriptions SET recent_start = (
            SELECT max(t.term_start) FROM transactions t
            WHERE t.subscription_key = subscriptions.key AND NOT EXISTS (
                SELECT 1 FROM transactions e
                WHERE e.subscription_key = t.subscription_key AND e.term_start < t.term_start
                    AND e.term_end >= t.term_start - 60 * 86400000
            )
        );
        """
}
