extension Schema {
    /// What receipts and downloads need beyond version 2. What was bought before has no receipt until it is saved next.
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
}
