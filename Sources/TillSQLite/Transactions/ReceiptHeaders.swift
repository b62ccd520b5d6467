/// Headers of receipts by their keys, so that each is read once and all receipts share it.
///
/// A header never changes and never goes, and a key that was rolled back may be given again: those of a transaction are
/// to be kept beyond it only once it is committed.
struct ReceiptHeaders: Sendable {
    /// More are forgotten, and read again when they are needed. A header has about 2 KB, and a new one comes with a new
    /// certificate.
    static let countMaximum = 64

    private var headers: [Int64: String] = [:]
    /// Whether any came in since they were settled.
    private(set) var hasNew = false

    var count: Int {
        headers.count
    }

    subscript(key: Int64) -> String? {
        headers[key]
    }

    /// The key of the same header. Headers are BASE64URL, of which equal text is equal bytes; of other text, the length
    /// tells apart what Swift takes for the same.
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
