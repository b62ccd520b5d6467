import GRDB
import TillEngine
import TillModel
import TillSQL

/// Few and small rows: a transaction has columns for what is asked for, and one for everything else; its charge and its
/// history are parts of its row; short lists are marks instead of indexes.
extension Schema {
    /// Makes the tables. `copyTransactions(in:)` fills them, and finishes the change.
    static let version10 = [setAside10, transactions10, renewalCharges10].joined(separator: "\n")

    /// Other tables refer to the tables by their names, which `legacy_alter_table` leaves alone
    /// (https://www.sqlite.org/pragma.html#pragma_legacy_alter_table).
    private static let setAside10 = """
        PRAGMA legacy_alter_table = ON;
        ALTER TABLE transactions RENAME TO transactions_of_version_9;
        PRAGMA legacy_alter_table = OFF;

        ALTER TABLE queues ADD COLUMN began_at INTEGER;
        UPDATE queues SET began_at = (
            SELECT created_at FROM transactions_of_version_9 t WHERE t.queue = queues.key ORDER BY t.key LIMIT 1
        );
        ALTER TABLE subscriptions ADD COLUMN original_id BLOB;
        ALTER TABLE subscriptions ADD COLUMN original_date INTEGER;
        UPDATE subscriptions SET original_id = o.id, original_date = coalesce(o.purchased_at, o.created_at)
        FROM transactions_of_version_9 o WHERE o.key = subscriptions.original_key;
        """

    /// `place` is a ``Place``, `kind` a ``Mark/Kind``. `deadline` is when the wait for a person ends, `charge_due_at` when to
    /// query the provider; both are empty in all other states.
    private static let transactions10 = """
        CREATE TABLE transactions (
            key INTEGER PRIMARY KEY,
            queue INTEGER NOT NULL,
            id BLOB NOT NULL,
            product_id TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            place INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            state INTEGER NOT NULL,
            amount INTEGER,
            currency TEXT,
            deadline INTEGER,
            charge_state INTEGER,
            charge_due_at INTEGER,
            detail BLOB NOT NULL,
            history BLOB NOT NULL,
            receipt_header INTEGER,
            receipt ANY
        ) STRICT;

        CREATE TABLE marks (
            kind INTEGER NOT NULL,
            owner INTEGER NOT NULL,
            name TEXT NOT NULL,
            key INTEGER NOT NULL,
            PRIMARY KEY (kind, owner, name, key)
        ) STRICT, WITHOUT ROWID;
        """

    /// For people who keep books: a row for each transaction, in words and dates.
    private static let payments10 = """
        CREATE VIEW payments AS
        SELECT t.key, q.application, q.account,
            lower(printf('%s-%s-%s-%s-%s', substr(hex(t.id), 1, 8), substr(hex(t.id), 9, 4), substr(hex(t.id), 13, 4),
                substr(hex(t.id), 17, 4), substr(hex(t.id), 21))) AS id,
            t.product_id,
            CASE t.state WHEN 0 THEN 'purchasing' WHEN 1 THEN 'purchased' WHEN 2 THEN 'failed' WHEN 3 THEN 'restored'
                WHEN 4 THEN 'deferred' END AS state,
            t.place IN (0, 7) AS is_finished, datetime(t.created_at / 1000.0, 'unixepoch') AS created_at, t.amount, t.currency,
            CASE t.charge_state WHEN 0 THEN 'waiting' WHEN 1 THEN 'open' WHEN 2 THEN 'succeeded' WHEN 3 THEN 'declined'
                WHEN 4 THEN 'unneeded' WHEN 5 THEN 'needs review' WHEN 6 THEN 'held' END AS charge
        FROM transactions t JOIN queues q ON q.key = t.queue;
        """

    private static let transactionIndexes10 = """
        CREATE UNIQUE INDEX transactions_by_id ON transactions (id);
        CREATE INDEX transactions_log ON transactions (place, queue, revision);
        CREATE INDEX deadlines ON transactions (deadline) WHERE deadline IS NOT NULL;
        CREATE INDEX charges_due ON transactions (charge_due_at) WHERE charge_due_at IS NOT NULL;
        """

    private static let renewalCharges10 = """
        CREATE TABLE renewal_charges (
            key INTEGER PRIMARY KEY,
            transaction_key INTEGER UNIQUE REFERENCES transactions (key),
            subscription_key INTEGER REFERENCES subscriptions (key),
            queue INTEGER NOT NULL REFERENCES queues (key),
            exclusivity TEXT,
            payment_id BLOB NOT NULL,
            application TEXT NOT NULL,
            account TEXT NOT NULL,
            product_id TEXT NOT NULL,
            quantity INTEGER NOT NULL,
            amount INTEGER NOT NULL,
            currency TEXT NOT NULL,
            amount_after_offer INTEGER,
            renewal_offer_type INTEGER,
            renewal_offer_id TEXT,
            renewal_offer_mode INTEGER,
            state INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            reference TEXT
        ) STRICT;

        CREATE INDEX renewal_charges_due ON renewal_charges (due_at) WHERE state = 1;
        CREATE INDEX renewal_charges_in_review ON renewal_charges (subscription_key) WHERE state = 5;
        CREATE INDEX renewal_charges_unsettled ON renewal_charges (queue, exclusivity, state DESC)
            WHERE state IN (0, 1) AND exclusivity IS NOT NULL;
        """

    /// The columns of a charge except its key.
    private static let chargeColumns = """
        transaction_key, subscription_key, queue, exclusivity, payment_id, application, account, product_id, quantity,
            amount, currency, amount_after_offer, renewal_offer_type, renewal_offer_id, renewal_offer_mode, state,
            attempts, created_at, due_at, reference
        """

    /// Charges without a transaction get keys that no transaction has.
    private static let dropVersion9 = """
        INSERT INTO renewal_charges (key, \(chargeColumns))
        SELECT \(ChargeRecord.renewalKeys.lowerBound - 1) + row_number() OVER (ORDER BY key), \(chargeColumns)
        FROM charges WHERE transaction_key IS NULL;

        DROP TABLE history;
        DROP TABLE charges;
        DROP TABLE transactions_of_version_9;
        """

    /// Copies all transactions, with their charges and histories, into rows of their new form.
    ///
    /// - Throws: `dataLoss` when a row cannot be read: nothing has changed then.
    static func copyTransactions(in database: Database) throws {
        let writer = SQLTransaction(database: database)
        var last = Int64.min
        while case let page = try version9Rows(afterKey: last, writer), let end = page.last {
            try writer.write(page)
            last = end.transaction.key
        }
        try database.execute(sql: dropVersion9)
        try database.execute(sql: transactionIndexes10)
        try database.execute(sql: payments10)
    }

    private static let page = 1_000

    private static func version9Rows(afterKey key: Int64, _ reader: SQLTransaction) throws -> [TransactionRow] {
        let transactions = try reader.rows(
            of: "transactions",
            "\(TransactionRecord.version9Selection) WHERE t.key > ?1 ORDER BY t.key LIMIT ?2",
            [SQLValue(key), SQLValue(page)]
        ) { try TransactionRecord(version9: &$0, receiptHeader: reader.receiptHeader(key:)) }
        guard let first = transactions.first?.key, let last = transactions.last?.key else {
            return []
        }
        let range = [SQLValue(first), SQLValue(last)]
        let charge = ColumnWriter.selection { _ = try ChargeRecord(&$0, nil) }
        let charges = try reader.rows(
            of: "charges",
            "SELECT \(charge) FROM charges t WHERE t.transaction_key BETWEEN ?1 AND ?2",
            range
        ) { try ChargeRecord(&$0, nil) }
        let history = try reader.rows(
            of: "history",
            """
            SELECT key, transaction_key, date, kind, actor, detail FROM history
            WHERE transaction_key BETWEEN ?1 AND ?2 ORDER BY transaction_key, key
            """,
            range,
            read: HistoryRecord.init(version9:)
        )
        return try rows(transactions, charges, history)
    }

    private static func rows(
        _ transactions: [TransactionRecord],
        _ charges: [ChargeRecord],
        _ history: [HistoryRecord]
    ) throws -> [TransactionRow] {
        let charges = Dictionary(charges.map { ($0.transactionKey, $0) }) { first, _ in first }
        let history = Dictionary(grouping: history, by: \.transactionKey)
        return try transactions.map { transaction in
            var row = TransactionRow(inserting: transaction)
            row.charge = charges[transaction.key]
            let entries = history[transaction.key] ?? []
            for entry in entries {
                try row.history.append(entry, keeping: entries.count)
            }
            return row
        }
    }
}

extension HistoryRecord {
    fileprivate init(version9 columns: inout Columns) throws {
        columns.skip(1)
        self.init(
            transactionKey: try columns.integer("transaction_key", nil),
            date: try columns.date("date", nil),
            kind: try columns.choice("kind", nil),
            actor: try columns.text("actor", nil),
            detail: try columns.text("detail", nil)
        )
    }
}
