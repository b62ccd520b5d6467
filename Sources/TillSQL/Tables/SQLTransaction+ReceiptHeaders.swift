import TillModel

extension SQLTransaction {
    /// The header with the key; nil when there is none.
    package func receiptHeader(key: Int64) throws -> String? {
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

    /// The key of the header, which is inserted if it has none yet.
    func receiptHeaderKey(of header: String) throws -> Int64 {
        if let key = receiptHeaders.key(of: header) {
            return key
        }
        let keys = try rows(
            of: "receipt_headers",
            """
            INSERT INTO receipt_headers (header) VALUES (?1)
            ON CONFLICT (header) DO UPDATE SET header = excluded.header RETURNING key
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

/// Headers of receipts by their keys, so that each is read once and all receipts share it.
///
/// A header never changes and is never deleted, but a key that was rolled back may be given again. Headers of a
/// transaction are therefore kept beyond it only once it is committed.
struct ReceiptHeaders: Sendable {
    /// Beyond this, all are dropped, and read again when they are needed. A header has about 2 KB, and a new certificate
    /// brings a new one.
    static let countMaximum = 64

    private var headers: [Int64: String] = [:]
    /// Whether any was inserted since they were settled.
    private(set) var hasNew = false

    var count: Int {
        headers.count
    }

    subscript(key: Int64) -> String? {
        headers[key]
    }

    /// The key of the same header. Headers are BASE64URL, whose equal texts are equal bytes; other texts that Swift takes
    /// for equal differ in length.
    func key(of header: String) -> Int64? {
        headers.first { $0.value.utf8.count == header.utf8.count && $0.value == header }?.key
    }

    mutating func insert(_ header: String, key: Int64) {
        if headers.count >= Self.countMaximum {
            headers = [:]
        }
        headers[key] = header
        hasNew = true
    }

    /// The same headers, none of them new.
    var settled: ReceiptHeaders {
        var settled = self
        settled.hasNew = false
        return settled
    }
}
