import TillModel

extension Schema {
    /// A transaction keeps what its receipts say: when it was purchased, its price and storefront, and which purchase it
    /// repeats. A refund says whether the seller keeps the money.
    ///
    /// Rows of earlier versions get the price of their charge. Periods without a charge cost nothing. The rows keep the date
    /// of their receipts, which also name the storefront: no column of theirs does.
    static let version6 = [columns6, prices6, repetitions6].joined(separator: "\n")

    private static let columns6 = """
        ALTER TABLE transactions ADD COLUMN purchased_at INTEGER;
        ALTER TABLE transactions ADD COLUMN repeats INTEGER REFERENCES transactions (key);
        ALTER TABLE transactions ADD COLUMN sale_amount INTEGER;
        ALTER TABLE transactions ADD COLUMN sale_currency TEXT CHECK ((sale_currency IS NULL) = (sale_amount IS NULL));
        ALTER TABLE transactions ADD COLUMN sale_country TEXT;
        ALTER TABLE transactions ADD COLUMN sale_storefront TEXT
            CHECK ((sale_storefront IS NULL) = (sale_country IS NULL));
        ALTER TABLE transactions ADD COLUMN sale_offer_period TEXT;

        ALTER TABLE refunds ADD COLUMN keeps_money INTEGER NOT NULL DEFAULT 0 CHECK (keeps_money IN (0, 1));
        UPDATE refunds SET keeps_money = 1 WHERE amount = 0 AND quantity > 0 AND currency <> '\(Price.noCurrency)';
        """

    private static let prices6 = """
        UPDATE transactions SET sale_amount = CASE c.state WHEN 4 THEN 0 ELSE c.amount END, sale_currency = c.currency
        FROM charges c WHERE c.transaction_key = transactions.key AND transactions.state IN (0, 1, 4);
        UPDATE transactions SET sale_amount = 0, sale_currency = s.currency
        FROM subscriptions s
        WHERE s.key = transactions.subscription_key AND transactions.state = 1 AND transactions.sale_amount IS NULL;
        """

    private static let repetitions6 = """
        UPDATE transactions SET repeats = (
            SELECT p.key FROM transactions p
            WHERE p.subscription_key = transactions.subscription_key AND p.state = 1
                AND p.term_start = transactions.term_start
        )
        WHERE state = 3 AND subscription_key IS NOT NULL;
        UPDATE transactions SET repeats = (
            SELECT p.key FROM transactions o
            JOIN transactions p ON p.subscription_key = o.subscription_key AND p.state = 1
            WHERE o.key = transactions.original_key AND p.term_start <= transactions.created_at
            ORDER BY p.term_start DESC, p.key DESC LIMIT 1
        )
        WHERE state = 1 AND product_type = 3 AND subscription_key IS NULL AND original_key IS NOT NULL;
        UPDATE transactions SET repeats = original_key
        WHERE repeats IS NULL AND original_key IS NOT NULL AND subscription_key IS NULL;
        UPDATE transactions SET
            sale_amount = CASE transactions.state WHEN 3 THEN p.sale_amount ELSE 0 END,
            sale_currency = p.sale_currency
        FROM transactions p
        WHERE p.key = transactions.repeats AND transactions.sale_amount IS NULL AND p.sale_amount IS NOT NULL;
        """
}
