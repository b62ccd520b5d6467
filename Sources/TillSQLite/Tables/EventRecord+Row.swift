import FoundationEssentials
import TillEngine
import TillModel

extension EventRecord {
    static let selection = """
        SELECT t.revision, t.queue, t.is_pending, t.kind, t.storefront_country, t.storefront_id, t.restore_id,
            t.restored_count, \(PaymentError.columns), \(Payment.columns)
        FROM events t
        """

    init(_ columns: inout Columns) throws {
        let revision = try columns.revision()
        let queue = try columns.integer()
        let isPending = try columns.flag()
        self.init(queue: queue, revision: revision, kind: try Kind(&columns), isPending: isPending)
    }

    var values: [SQLValue] {
        [SQLValue(revision), SQLValue(queue), SQLValue(isPending)] + kind.values
    }
}

extension EventRecord.Kind {
    /// The kinds' numbers in the table.
    private enum Number: Int {
        case restoreFinished = 0
        case restoreFailed = 1
        case storePaymentRequested = 2
        case storefrontChanged = 3
    }

    fileprivate init(_ columns: inout Columns) throws {
        switch try columns.value(Number.self) {
        case .storefrontChanged:
            self = .storefrontChanged(Storefront(countryCode: try columns.text(), identifier: try columns.text()))
        case .restoreFinished:
            columns.skip(2)
            self = .restoreFinished(id: try columns.uuid(), count: try columns.int())
        case .restoreFailed:
            columns.skip(2)
            let id = try columns.uuid()
            columns.skip(1)
            guard let error = try PaymentError(ifPresentIn: &columns) else {
                throw columns.unreadable()
            }
            self = .restoreFailed(id: id, error: error)
        case .storePaymentRequested:
            columns.skip(4 + PaymentError.columnCount)
            self = .storePaymentRequested(try Payment(&columns))
        }
    }

    /// The values of the columns from `kind` on.
    fileprivate var values: [SQLValue] {
        switch self {
        case .restoreFinished(let id, let count): Self.values(.restoreFinished, restore: id, count: count)
        case .restoreFailed(let id, let error): Self.values(.restoreFailed, restore: id, error: error)
        case .storePaymentRequested(let payment): Self.values(.storePaymentRequested, payment: payment)
        case .storefrontChanged(let storefront): Self.values(.storefrontChanged, storefront: storefront)
        }
    }

    private static func values(
        _ number: Number,
        storefront: Storefront? = nil,
        restore: UUID? = nil,
        count: Int? = nil,
        error: PaymentError? = nil,
        payment: Payment? = nil
    ) -> [SQLValue] {
        [
            SQLValue(number.rawValue), SQLValue(storefront?.countryCode), SQLValue(storefront?.identifier),
            SQLValue(restore), SQLValue(count),
        ] + PaymentError.values(error) + Payment.values(payment)
    }
}
