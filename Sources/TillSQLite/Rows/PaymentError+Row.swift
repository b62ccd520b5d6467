import TillModel

extension PaymentError {
    /// The columns of an error, in the order of ``init(ifPresentIn:)`` and ``values(_:)``.
    static let columns = """
        t.error_code, t.error_message, t.error_money_moved, t.error_retry, t.error_reason, t.error_provider_code
        """
    static let columnCount: CInt = 6

    init?(ifPresentIn columns: inout Columns) throws {
        guard let code = try columns.integerIfPresent() else {
            columns.skip(Self.columnCount - 1)
            return nil
        }
        guard let code = Int(exactly: code) else {
            throw columns.unreadable()
        }
        self.init(
            Code(rawValue: code),
            try columns.text(),
            moneyMoved: try columns.value(MoneyMoved.self),
            retry: try columns.value(RetrySafety.self),
            reason: try columns.value(FailureReason.self),
            providerCode: try columns.textIfPresent()
        )
    }

    static func values(_ error: PaymentError?) -> [SQLValue] {
        [
            SQLValue(error?.code.rawValue), SQLValue(error?.message), SQLValue(error?.moneyMoved.rawValue),
            SQLValue(error?.retry.rawValue), SQLValue(error?.reason.rawValue), SQLValue(error?.providerCode),
        ]
    }
}
