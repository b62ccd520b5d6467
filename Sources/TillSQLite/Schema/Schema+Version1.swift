extension Schema {
    /// Times are milliseconds since 1970, identities the 16 bytes of a UUID. Text is compared as bytes.
    static let version1 = """
        CREATE TABLE meta (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            ledger_id BLOB NOT NULL CHECK (length(ledger_id) = 16),
            clean INTEGER NOT NULL CHECK (clean IN (0, 1))
        ) STRICT;

        CREATE TABLE queues (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            application TEXT NOT NULL,
            account TEXT NOT NULL,
            revision INTEGER NOT NULL DEFAULT 0 CHECK (revision >= 0),
            floor INTEGER NOT NULL DEFAULT 0 CHECK (floor >= 0),
            UNIQUE (application, account)
        ) STRICT;

        CREATE TABLE transactions (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            queue INTEGER NOT NULL REFERENCES queues (key),
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            payment_id BLOB NOT NULL CHECK (length(payment_id) = 16),
            product_id TEXT NOT NULL,
            quantity INTEGER NOT NULL,
            application_username TEXT,
            request_data BLOB,
            discount_id TEXT,
            discount_key_id TEXT,
            discount_nonce BLOB CHECK (length(discount_nonce) = 16),
            discount_signature TEXT,
            discount_timestamp INTEGER,
            simulates_ask_to_buy INTEGER NOT NULL CHECK (simulates_ask_to_buy IN (0, 1)),
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4),
            revision INTEGER NOT NULL CHECK (revision >= 0),
            created_at INTEGER NOT NULL,
            finished_at INTEGER,
            error_code INTEGER,
            error_message TEXT,
            error_money_moved INTEGER CHECK (error_money_moved BETWEEN 0 AND 2),
            error_retry INTEGER CHECK (error_retry BETWEEN 0 AND 2),
            error_provider_code TEXT,
            original_key INTEGER REFERENCES transactions (key),
            is_entitlement INTEGER NOT NULL CHECK (is_entitlement IN (0, 1)),
            UNIQUE (queue, revision)
        ) STRICT;

        CREATE INDEX transactions_by_key ON transactions (queue);
        CREATE INDEX unfinished_by_key ON transactions (queue) WHERE finished_at IS NULL;
        CREATE INDEX unfinished_by_revision ON transactions (queue, revision) WHERE finished_at IS NULL;
        CREATE INDEX entitlements_by_product ON transactions (queue, product_id) WHERE is_entitlement = 1;
        CREATE INDEX entitlements_by_key ON transactions (queue) WHERE is_entitlement = 1;
        CREATE INDEX unfinished_restored ON transactions (original_key) WHERE state = 3 AND finished_at IS NULL;

        CREATE TABLE charges (
            transaction_key INTEGER PRIMARY KEY REFERENCES transactions (key),
            queue INTEGER NOT NULL REFERENCES queues (key),
            payment_id BLOB NOT NULL CHECK (length(payment_id) = 16),
            application TEXT NOT NULL,
            account TEXT NOT NULL,
            product_id TEXT NOT NULL,
            quantity INTEGER NOT NULL,
            amount INTEGER NOT NULL,
            currency TEXT NOT NULL,
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 5),
            attempts INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            reference TEXT
        ) STRICT;

        CREATE INDEX charges_due ON charges (due_at) WHERE state = 1;
        CREATE INDEX charges_unsettled ON charges (queue, product_id) WHERE state IN (0, 1);

        CREATE TABLE restores (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            queue INTEGER NOT NULL REFERENCES queues (key),
            application_username TEXT,
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
            revision INTEGER NOT NULL CHECK (revision >= 0),
            cursor INTEGER NOT NULL,
            count INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            deadline INTEGER NOT NULL
        ) STRICT;

        CREATE INDEX restores_running ON restores (created_at) WHERE state = 0;
        CREATE INDEX restores_running_in_queue ON restores (queue) WHERE state = 0;

        CREATE TABLE events (
            revision INTEGER NOT NULL CHECK (revision >= 0),
            queue INTEGER NOT NULL REFERENCES queues (key),
            restore_id BLOB NOT NULL CHECK (length(restore_id) = 16),
            restored_count INTEGER,
            error_code INTEGER,
            error_message TEXT,
            error_money_moved INTEGER CHECK (error_money_moved BETWEEN 0 AND 2),
            error_retry INTEGER CHECK (error_retry BETWEEN 0 AND 2),
            error_provider_code TEXT,
            PRIMARY KEY (queue, revision),
            CHECK ((restored_count IS NULL) != (error_code IS NULL))
        ) STRICT, WITHOUT ROWID;
        """
}
