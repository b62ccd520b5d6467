import GRDB
import TillEngine
import TillModel
import TillSQL

extension Schema {
    /// What receipts and downloads need beyond version 2. Older purchases have no receipt until they are saved next.
    static let version3 = """
        CREATE TABLE receipt_headers (
            key INTEGER PRIMARY KEY,
            header TEXT NOT NULL UNIQUE
        ) STRICT;

        ALTER TABLE transactions ADD COLUMN receipt_header INTEGER REFERENCES receipt_headers (key);
        ALTER TABLE transactions ADD COLUMN receipt TEXT CHECK ((receipt IS NULL) = (receipt_header IS NULL));
        ALTER TABLE transactions ADD COLUMN has_downloads INTEGER NOT NULL DEFAULT 0 CHECK (has_downloads IN (0, 1));

        CREATE TABLE downloads (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            queue INTEGER NOT NULL REFERENCES queues (key),
            transaction_key INTEGER NOT NULL REFERENCES transactions (key),
            transaction_id BLOB NOT NULL CHECK (length(transaction_id) = 16),
            product_id TEXT NOT NULL,
            content_id TEXT NOT NULL,
            content_version TEXT NOT NULL,
            content_length INTEGER NOT NULL CHECK (content_length >= 0),
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 5),
            revision INTEGER NOT NULL CHECK (revision >= 0),
            received_bytes INTEGER NOT NULL CHECK (received_bytes >= 0),
            run INTEGER NOT NULL,
            deadline INTEGER,
            error_reason INTEGER CHECK (error_reason >= 1),
            error_message TEXT CHECK ((error_message IS NULL) = (error_reason IS NULL)),
            path TEXT,
            size INTEGER NOT NULL CHECK (size >= 0)
        ) STRICT;

        CREATE INDEX downloads_of_transaction ON downloads (transaction_key);
        CREATE INDEX downloads_by_key ON downloads (queue);
        CREATE INDEX downloads_by_revision ON downloads (queue, revision);
        CREATE INDEX downloads_active ON downloads (state) WHERE state = 1;
        CREATE INDEX downloads_on_disk ON downloads (queue, state, size, content_length) WHERE state IN (1, 2, 3);
        """

    /// Transactions that wait for the provider leave the indexes of waiting transactions: their charges show that they
    /// wait, and every payment would enter and leave the indexes.
    static let version4 = """
        DROP INDEX waiting;
        DROP INDEX waiting_in_queue;
        CREATE INDEX waiting ON transactions (blocker) WHERE state IN (0, 4) AND blocker <> 1;
        CREATE INDEX waiting_in_queue ON transactions (queue, blocker) WHERE state IN (0, 4) AND blocker <> 1;
        """

    /// A charge stores its offer, and what its subscription costs after the offer, so that later changes of the store do not
    /// change what was agreed to. Renewals that are under way get the offer of their subscription.
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

    /// A transaction stores the facts of its receipts: when it was purchased, its price and storefront, and which purchase
    /// it repeats. A refund stores whether the seller keeps the money.
    ///
    /// Rows of earlier versions get the price of their charge. Periods without a charge cost nothing. The rows keep the date
    /// of their receipts. Their storefront is named only in their receipts.
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

    /// A call that joins a restore under way stores its own identity for it.
    static let version7 = """
        CREATE TABLE joined_restores (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            restore_id BLOB NOT NULL REFERENCES restores (id)
        ) STRICT, WITHOUT ROWID;
        """

    /// Public identifiers are keys plus a random base, so that no two ledgers issue the same ones. Identifiers that were
    /// issued before keep their plain base.
    static let version8 = """
        CREATE TABLE identifier_ranges (
            key INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
            first_key INTEGER NOT NULL CHECK (first_key >= 1),
            base INTEGER NOT NULL CHECK (base >= 0),
            UNIQUE (kind, first_key)
        ) STRICT;
        """

    /// Stores the numbering of future keys, and the plain numbering of keys that exist.
    static func insertNumbering(into database: Database) throws {
        let drawn = LedgerNumbering.drawn()
        for kind in NumberedKind.allCases {
            let last = try Int64.fetchOne(
                database,
                sql: "SELECT seq FROM sqlite_sequence WHERE name = ?",
                arguments: [kind.table]
            )
            var ranges = drawn[keyPath: kind.numbering].ranges
            if let last, last > 0 {
                let later =
                    last == .max
                    ? []
                    : ranges.map { range in
                        IdentifierNumbering.Range(firstKey: last + 1, base: range.base)
                    }
                ranges = LedgerNumbering.plain[keyPath: kind.numbering].ranges + later
            }
            for range in ranges {
                try database.execute(
                    sql: "INSERT INTO identifier_ranges (kind, first_key, base) VALUES (?, ?, ?)",
                    arguments: [kind.rawValue, range.firstKey, range.base]
                )
            }
        }
    }

    /// A subscription stores when its present series of periods began. For older subscriptions, that is the start of the
    /// last period that begins more than 60 days after every earlier period's end.
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
