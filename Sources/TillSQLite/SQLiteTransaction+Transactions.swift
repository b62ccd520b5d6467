import GRDB
import TillEngine
import TillModel

extension SQLiteTransaction: TransactionWriter {
    func newTransactionKey() throws -> Int64 {
        try highestKey.next {
            try rows(of: "sqlite_sequence", "SELECT seq FROM sqlite_sequence WHERE name = 'transactions'", []) {
                columns in
                try columns.integer()
            }.first ?? 0
        }
    }

    func insert(_ transaction: TransactionRecord) throws -> Int64 {
        let key = transaction.key == 0 ? try newTransactionKey() : transaction.key
        return try insert(
            Self.insertTransaction,
            [SQLValue(key)] + transaction.fixedValues + changingValues(of: transaction)
        )
    }

    func update(_ transaction: TransactionRecord) throws {
        try change(
            """
            UPDATE transactions SET state = ?1, revision = ?2, finished_at = ?3, error_code = ?4, error_message = ?5,
                error_money_moved = ?6, error_retry = ?7, error_reason = ?8, error_provider_code = ?9,
                is_entitlement = ?10, blocker = ?11, deadline = ?12, is_interrupted = ?13, offer_type = ?14,
                offer_id = ?15, offer_mode = ?16, subscription_key = ?17, term_group = ?18, term_start = ?19,
                term_end = ?20, term_is_renewal = ?21, term_is_upgraded = ?22, revocation_date = ?23,
                revocation_reason = ?24, revocation_quantity = ?25, is_revocation_pending = ?26, receipt = ?27,
                receipt_header = ?28, has_downloads = ?29, original_key = ?30
            WHERE key = ?31
            """,
            changingValues(of: transaction) + [SQLValue(transaction.key)],
            orThrow: "The ledger has no transaction \(transaction.key)."
        )
    }

    private func changingValues(of transaction: TransactionRecord) throws -> [SQLValue] {
        let headerKey = try transaction.receipt.map { try receiptHeaderKey(of: $0.header) }
        return transaction.changingValues(receiptHeaderKey: headerKey)
    }

    private static let insertTransaction = """
        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, application_username, request_data,
            simulates_ask_to_buy, discount_id, discount_key_id, discount_nonce, discount_signature, discount_timestamp,
            product_type, created_at, continues, state, revision, finished_at, error_code, error_message,
            error_money_moved, error_retry, error_reason, error_provider_code, is_entitlement, blocker, deadline,
            is_interrupted, offer_type, offer_id, offer_mode, subscription_key, term_group, term_start, term_end,
            term_is_renewal, term_is_upgraded, revocation_date, revocation_reason, revocation_quantity,
            is_revocation_pending, receipt, receipt_header, has_downloads, original_key)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
            ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, ?40, ?41, ?42, ?43,
            ?44, ?45, ?46, ?47)
        """
}
