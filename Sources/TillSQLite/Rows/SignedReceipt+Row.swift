import TillEngine

extension SignedReceipt {
    /// The columns of a receipt, in the order of ``init(ifPresentIn:header:)`` and ``values(_:headerKey:)``.
    static let columns = "t.receipt, t.receipt_header"

    /// - Parameter header: Gives the header with a key; nil when there is none.
    init?(ifPresentIn columns: inout Columns, header: (Int64) throws -> String?) throws {
        guard let body = try columns.textIfPresent() else {
            columns.skip(1)
            return nil
        }
        guard let header = try header(columns.integer()) else {
            throw columns.unreadable()
        }
        self.init(header: header, body: body)
    }

    static func values(_ receipt: SignedReceipt?, headerKey: Int64?) -> [SQLValue] {
        [SQLValue(receipt?.body), SQLValue(headerKey)]
    }
}
