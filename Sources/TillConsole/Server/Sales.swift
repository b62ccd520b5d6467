import FoundationEssentials
import TillModel

/// What was bought on each of the last days, and what of it was given back since, by product and currency.
struct Sales: Sendable {
    /// Today is the last of them.
    static let dayCount = 30
    private static let secondsOfDay = 86_400.0

    /// What was sold on a day.
    struct Figures: Hashable, Sendable {
        /// Charges, not quantities.
        private(set) var purchases = 0
        /// In minor units. The sum of any number of amounts fits.
        private(set) var charged: Int128 = 0
        private(set) var refunded: Int128 = 0

        var net: Int128 {
            charged - refunded
        }

        fileprivate mutating func add(_ entry: LedgerEntry) {
            switch entry.kind {
            case .charge:
                purchases += 1
                charged += Int128(entry.amount)
            case .refund:
                refunded += Int128(entry.amount)
            }
        }

        static func + (first: Figures, second: Figures) -> Figures {
            var sum = first
            sum.purchases += second.purchases
            sum.charged += second.charged
            sum.refunded += second.refunded
            return sum
        }
    }

    /// What was sold: a product in a currency.
    struct Item: Hashable, Sendable {
        var productID: String
        var currency: String
    }

    /// When the sales were read.
    let date: Date
    /// The begin of the first day, in UTC.
    let start: Date
    /// The figures of each day.
    private(set) var items: [Item: [Figures]] = [:]
    /// The charge that was added last, and its day. Its refunds follow it.
    private var lastCharge: (id: UUID, day: Int)?

    init(until date: Date) {
        self.date = date
        let today = (date.timeIntervalSince1970 / Self.secondsOfDay).rounded(.down) * Self.secondsOfDay
        start = Date(timeIntervalSince1970: today - Double(Self.dayCount - 1) * Self.secondsOfDay)
    }

    /// The begin of a day.
    func day(_ index: Int) -> Date {
        start.addingTimeInterval(Double(index) * Self.secondsOfDay)
    }

    /// Adds a charge, or a refund that follows its charge. A refund counts on the day of its purchase.
    mutating func add(_ entry: LedgerEntry) {
        if entry.kind == .charge {
            let days = (entry.date.timeIntervalSince(start) / Self.secondsOfDay).rounded(.down)
            // A clock that was set back may have charged on a day that is still to come.
            lastCharge = (entry.paymentID, min(Int(exactly: days) ?? -1, Self.dayCount - 1))
        }
        guard let lastCharge, lastCharge.id == entry.paymentID, lastCharge.day >= 0 else {
            return
        }
        let item = Item(productID: entry.productID, currency: entry.currency)
        items[item, default: Array(repeating: Figures(), count: Self.dayCount)][lastCharge.day].add(entry)
    }
}
