extension Schema {
    /// What the rules of buying need beyond version 1: waits for people, offers, subscriptions, refunds, revocations,
    /// and the audit log and histories. Rows of version 1 get the values that can be derived.
    static let version2 = [
        subscriptions2, transactions2, transactionIndexes2, charges2, restores2, events2, refunds2, books2,
    ].joined(separator: "\n")

    private static let subscriptions2 = """
        CREATE TABLE subscriptions (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            queue INTEGER NOT NULL REFERENCES queues (key),
            group_id TEXT NOT NULL,
            original_key INTEGER NOT NULL REFERENCES transactions (key),
            latest_key INTEGER NOT NULL REFERENCES transactions (key),
            product_id TEXT NOT NULL,
            renewal_product_id TEXT NOT NULL,
            state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 5),
            period_start INTEGER NOT NULL,
            period_end INTEGER NOT NULL,
            will_renew INTEGER NOT NULL CHECK (will_renew IN (0, 1)),
            renewal_amount INTEGER NOT NULL,
            currency TEXT NOT NULL,
            offer_type INTEGER CHECK (offer_type BETWEEN 0 AND 3),
            offer_id TEXT,
            offer_mode INTEGER CHECK (offer_mode BETWEEN 0 AND 2),
            offer_amount INTEGER,
            offer_remaining INTEGER,
            has_used_introductory_offer INTEGER NOT NULL CHECK (has_used_introductory_offer IN (0, 1)),
            price_consent INTEGER NOT NULL CHECK (price_consent BETWEEN 0 AND 3),
            announced_amount INTEGER,
            grace_end INTEGER,
            retry_end INTEGER,
            attempts INTEGER NOT NULL,
            expiration_reason INTEGER CHECK (expiration_reason BETWEEN 1 AND 5),
            due_at INTEGER,
            UNIQUE (queue, group_id)
        ) STRICT;

        CREATE INDEX subscriptions_by_key ON subscriptions (queue);
        CREATE INDEX subscriptions_due ON subscriptions (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX consents ON subscriptions (price_consent) WHERE price_consent = 1;
        CREATE INDEX consents_in_queue ON subscriptions (queue) WHERE price_consent = 1;
        CREATE INDEX queues_by_account ON queues (account);
        """

    private static let transactions2 = """
        ALTER TABLE transactions ADD COLUMN product_type INTEGER CHECK (product_type BETWEEN 0 AND 3);
        ALTER TABLE transactions ADD COLUMN blocker INTEGER CHECK (blocker BETWEEN 1 AND 5);
        ALTER TABLE transactions ADD COLUMN deadline INTEGER;
        ALTER TABLE transactions ADD COLUMN continues BLOB CHECK (length(continues) = 16);
        ALTER TABLE transactions ADD COLUMN is_interrupted INTEGER NOT NULL DEFAULT 0 CHECK (is_interrupted IN (0, 1));
        ALTER TABLE transactions ADD COLUMN error_reason INTEGER CHECK (error_reason >= 0);
        ALTER TABLE transactions ADD COLUMN offer_type INTEGER CHECK (offer_type BETWEEN 0 AND 3);
        ALTER TABLE transactions ADD COLUMN offer_id TEXT;
        ALTER TABLE transactions ADD COLUMN offer_mode INTEGER CHECK (offer_mode BETWEEN 0 AND 2);
        ALTER TABLE transactions ADD COLUMN subscription_key INTEGER REFERENCES subscriptions (key);
        ALTER TABLE transactions ADD COLUMN term_group TEXT;
        ALTER TABLE transactions ADD COLUMN term_start INTEGER;
        ALTER TABLE transactions ADD COLUMN term_end INTEGER;
        ALTER TABLE transactions ADD COLUMN term_is_renewal INTEGER CHECK (term_is_renewal IN (0, 1));
        ALTER TABLE transactions ADD COLUMN term_is_upgraded INTEGER CHECK (term_is_upgraded IN (0, 1));
        ALTER TABLE transactions ADD COLUMN revocation_date INTEGER;
        ALTER TABLE transactions ADD COLUMN revocation_reason INTEGER CHECK (revocation_reason IN (0, 1));
        ALTER TABLE transactions ADD COLUMN revocation_quantity INTEGER;
        ALTER TABLE transactions ADD COLUMN is_revocation_pending INTEGER NOT NULL DEFAULT 0
            CHECK (is_revocation_pending IN (0, 1));

        UPDATE transactions SET product_type = 1 WHERE is_entitlement = 1;
        UPDATE transactions SET error_reason = 0 WHERE error_code IS NOT NULL;
        UPDATE transactions SET blocker = (
            SELECT 2 - c.state FROM charges c WHERE c.transaction_key = transactions.key
        )
        WHERE finished_at IS NULL AND state IN (0, 4)
            AND EXISTS (SELECT 1 FROM charges c WHERE c.transaction_key = transactions.key AND c.state IN (0, 1));
        """

    private static let transactionIndexes2 = """
        DROP INDEX unfinished_by_revision;
        DROP INDEX entitlements_by_product;
        DROP INDEX entitlements_by_key;

        CREATE INDEX deliverable ON transactions (queue, revision)
            WHERE finished_at IS NULL OR is_revocation_pending = 1;
        CREATE INDEX revocations_pending ON transactions (queue, revision) WHERE is_revocation_pending = 1;
        CREATE INDEX waiting ON transactions (blocker) WHERE state IN (0, 4) AND blocker IS NOT NULL;
        CREATE INDEX waiting_in_queue ON transactions (queue, blocker) WHERE state IN (0, 4) AND blocker IS NOT NULL;
        CREATE INDEX deadlines ON transactions (deadline) WHERE state IN (0, 4) AND deadline IS NOT NULL;
        CREATE INDEX owned ON transactions (queue, product_id) WHERE is_entitlement = 1 AND product_type = 1;
        CREATE INDEX entitlements ON transactions (queue) WHERE is_entitlement = 1 AND product_type IN (1, 2);
        CREATE INDEX restorable ON transactions (queue)
            WHERE is_entitlement = 1 AND product_type IN (1, 3) AND finished_at IS NOT NULL;
        CREATE INDEX restorable_by_username ON transactions (queue, application_username)
            WHERE is_entitlement = 1 AND product_type IN (1, 3) AND finished_at IS NOT NULL;
        CREATE INDEX terms ON transactions (subscription_key) WHERE state = 1 AND subscription_key IS NOT NULL;
        CREATE INDEX unfinished_renewals ON transactions (subscription_key)
            WHERE state = 1 AND finished_at IS NULL AND term_is_renewal = 1;
        CREATE INDEX interrupted ON transactions (is_interrupted) WHERE is_interrupted = 1;
        CREATE INDEX revoked ON transactions (key) WHERE revocation_date IS NOT NULL;
        """

    private static let charges2 = """
        ALTER TABLE charges RENAME TO charges_of_version_1;
        CREATE TABLE charges (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            transaction_key INTEGER REFERENCES transactions (key),
            subscription_key INTEGER REFERENCES subscriptions (key),
            queue INTEGER NOT NULL REFERENCES queues (key),
            exclusivity TEXT,
            payment_id BLOB NOT NULL CHECK (length(payment_id) = 16),
            application TEXT NOT NULL,
            account TEXT NOT NULL,
            product_id TEXT NOT NULL,
            quantity INTEGER NOT NULL,
            amount INTEGER NOT NULL,
            currency TEXT NOT NULL,
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 6),
            attempts INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            reference TEXT
        ) STRICT;
        INSERT INTO charges (transaction_key, queue, exclusivity, payment_id, application, account, product_id,
            quantity, amount, currency, state, attempts, created_at, due_at, reference)
        SELECT transaction_key, queue, CASE WHEN state IN (0, 1) THEN product_id END, payment_id, application, account,
            product_id, quantity, amount, currency, state, attempts, created_at, due_at, reference
        FROM charges_of_version_1 ORDER BY transaction_key;
        DROP TABLE charges_of_version_1;

        CREATE UNIQUE INDEX charges_by_transaction ON charges (transaction_key) WHERE transaction_key IS NOT NULL;
        CREATE INDEX charges_in_review ON charges (transaction_key) WHERE state = 5;
        CREATE INDEX charges_due ON charges (due_at) WHERE state = 1;
        CREATE INDEX charges_unsettled ON charges (queue, exclusivity, state DESC)
            WHERE state IN (0, 1) AND exclusivity IS NOT NULL;
        """

    private static let restores2 = """
        ALTER TABLE restores ADD COLUMN total INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE restores ADD COLUMN error_code INTEGER;
        ALTER TABLE restores ADD COLUMN error_message TEXT;
        ALTER TABLE restores ADD COLUMN error_money_moved INTEGER CHECK (error_money_moved BETWEEN 0 AND 2);
        ALTER TABLE restores ADD COLUMN error_retry INTEGER CHECK (error_retry BETWEEN 0 AND 2);
        ALTER TABLE restores ADD COLUMN error_provider_code TEXT;
        ALTER TABLE restores ADD COLUMN error_reason INTEGER CHECK (error_reason >= 0);

        UPDATE restores SET total = count;
        UPDATE restores SET total = count + (
            SELECT count(*) FROM transactions t
            WHERE t.queue = restores.queue AND t.key > restores.cursor AND t.is_entitlement = 1
                AND t.product_type IN (1, 3) AND t.finished_at IS NOT NULL
                AND (restores.application_username IS NULL OR t.application_username = restores.application_username)
        ) WHERE state = 0;
        UPDATE restores SET error_code = e.error_code, error_message = e.error_message,
            error_money_moved = e.error_money_moved, error_retry = e.error_retry,
            error_provider_code = e.error_provider_code, error_reason = 0
        FROM events e
        WHERE restores.state = 2 AND e.queue = restores.queue AND e.restore_id = restores.id
            AND e.error_code IS NOT NULL;
        """

    private static let events2 = """
        ALTER TABLE events RENAME TO events_of_version_1;
        CREATE TABLE events (
            revision INTEGER NOT NULL CHECK (revision >= 0),
            queue INTEGER NOT NULL REFERENCES queues (key),
            kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3),
            is_pending INTEGER NOT NULL CHECK (is_pending IN (0, 1)),
            restore_id BLOB CHECK (length(restore_id) = 16),
            restored_count INTEGER,
            error_code INTEGER,
            error_message TEXT,
            error_money_moved INTEGER CHECK (error_money_moved BETWEEN 0 AND 2),
            error_retry INTEGER CHECK (error_retry BETWEEN 0 AND 2),
            error_provider_code TEXT,
            error_reason INTEGER CHECK (error_reason >= 0),
            payment_id BLOB CHECK (length(payment_id) = 16),
            product_id TEXT,
            quantity INTEGER,
            application_username TEXT,
            request_data BLOB,
            simulates_ask_to_buy INTEGER CHECK (simulates_ask_to_buy IN (0, 1)),
            discount_id TEXT,
            discount_key_id TEXT,
            discount_nonce BLOB CHECK (length(discount_nonce) = 16),
            discount_signature TEXT,
            discount_timestamp INTEGER,
            storefront_country TEXT,
            storefront_id TEXT,
            PRIMARY KEY (queue, revision),
            CHECK ((kind IN (0, 1)) = (restore_id IS NOT NULL)),
            CHECK ((kind = 0) = (restored_count IS NOT NULL)),
            CHECK ((kind = 1) = (error_code IS NOT NULL)),
            CHECK ((kind = 2) = (payment_id IS NOT NULL)),
            CHECK ((kind = 3) = (storefront_country IS NOT NULL))
        ) STRICT, WITHOUT ROWID;
        INSERT INTO events (revision, queue, kind, is_pending, restore_id, restored_count, error_code, error_message,
            error_money_moved, error_retry, error_provider_code, error_reason)
        SELECT revision, queue, error_code IS NOT NULL, 0, restore_id, restored_count, error_code, error_message,
            error_money_moved, error_retry, error_provider_code, CASE WHEN error_code IS NOT NULL THEN 0 END
        FROM events_of_version_1;
        DROP TABLE events_of_version_1;

        CREATE INDEX events_pending ON events (queue, revision) WHERE is_pending = 1;
        """

    private static let refunds2 = """
        CREATE TABLE refunds (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            transaction_key INTEGER NOT NULL REFERENCES transactions (key),
            queue INTEGER NOT NULL REFERENCES queues (key),
            quantity INTEGER NOT NULL,
            amount INTEGER NOT NULL,
            currency TEXT NOT NULL,
            reason INTEGER NOT NULL CHECK (reason IN (0, 1)),
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
            attempts INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            reference TEXT
        ) STRICT;

        CREATE INDEX refunds_of_transaction ON refunds (transaction_key);
        CREATE INDEX refunds_due ON refunds (due_at) WHERE state = 0;
        """

    private static let books2 = """
        CREATE TABLE history (
            key INTEGER PRIMARY KEY,
            transaction_key INTEGER NOT NULL REFERENCES transactions (key),
            date INTEGER NOT NULL,
            kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
            actor TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT;

        CREATE INDEX history_of_transaction ON history (transaction_key, kind);

        CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY,
            date INTEGER NOT NULL,
            uid INTEGER NOT NULL CHECK (uid BETWEEN 0 AND 4294967295),
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            detail TEXT NOT NULL,
            reason TEXT NOT NULL,
            previous_hash BLOB NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;

        CREATE TABLE settings (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
