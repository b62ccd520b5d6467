import TillModel

extension SQLiteTransaction {
    /// The header with the key; nil when there is none.
    func receiptHeader(key: Int64) throws -> String? {
        if let header = receiptHeaders[key] {
            return header
        }
        let found = try rows(
            of: "receipt_headers",
            "SELECT key, header FROM receipt_headers WHERE key = ?1",
            [SQLValue(key)]
        ) { columns in
            columns.skip(1)
            return try columns.text()
        }
        guard let header = found.first else {
            return nil
        }
        receiptHeaders.insert(header, key: key)
        return header
    }

    /// The key of the header, which gets one unless it has one already.
    func receiptHeaderKey(of header: String) throws -> Int64 {
        if let key = receiptHeaders.key(of: header) {
            return key
        }
        let keys = try rows(
            of: "receipt_headers",
            """
            INSERT INTO receipt_headers (header) VALUES (?1)
            ON CONFLICT (header) DO UPDATE SET header = header RETURNING key
            """,
            [SQLValue(header)]
        ) { try $0.integer() }
        guard let key = keys.first else {
            throw TillError(.internal, "A receipt's header was stored without a key.")
        }
        receiptHeaders.insert(header, key: key)
        return key
    }
}
