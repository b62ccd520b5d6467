import FoundationEssentials
import TillClient
import TillEngine
import TillInvariants
import TillModel

/// Answered advances of the store's clock after which it was examined what is left to do: an examination of nothing
/// proves nothing.
package struct ExaminedAdvances: Sendable {
    /// The start of 2038-01-20: later dates lie more than 2^31 s after 1970, and more than 2^30 s after 2001.
    private static let lateDates = Date(timeIntervalSince1970: 2_147_558_400)

    package private(set) var all = 0
    /// Those in stores that sell subscriptions, by twenty years at once.
    package private(set) var ofTwentyYears = 0
    /// Those after which the store's clock was past 2038.
    package private(set) var past2038 = 0

    package init() {}

    mutating func count(days: Int, _ reading: ClockReading, subscribes: Bool) {
        all += 1
        ofTwentyYears += subscribes && days >= 7300 ? 1 : 0
        past2038 += reading.now >= Self.lateDates ? 1 : 0
    }

    package mutating func add(_ other: ExaminedAdvances) {
        all += other.all
        ofTwentyYears += other.ofTwentyYears
        past2038 += other.past2038
    }

    /// How many there were of each kind, by what to call them.
    package var counts: [(kind: String, count: Int)] {
        [("all", all), ("by twenty years, with subscriptions", ofTwentyYears), ("past 2038", past2038)]
    }
}

extension World {
    /// Holds that nothing is left that was due by `end`. It is called by the daemon's task in the moment of the answer, and
    /// not examined where there is none: the caller is gone, or the daemon is stopping.
    func examineAdvance(by days: Int, to end: Date, _ reading: ClockReading) async {
        guard !Task.isCancelled, daemon?.isStopping == false,
            let left = try? await disk.durable.read({ try Self.left(by: end, $0) })
        else {
            return
        }
        advances.count(days: days, reading, subscribes: profile.subscribes)
        for work in left {
            offend("the clock was advanced to \(end), and \(work) was not done")
        }
    }

    /// Expects dates as the ledger stores them.
    func examineDates(of transaction: Transaction) {
        let dates = [
            transaction.purchase?.transactionDate, transaction.original?.purchase.transactionDate, transaction.deadline,
            transaction.revocation?.date, transaction.subscription?.startDate, transaction.subscription?.expirationDate,
        ]
        for date in dates.compactMap(\.self) where date != date.roundedToMilliseconds {
            offend("a date of \(transaction.id.text) is no whole millisecond: \(date.timeIntervalSince1970)")
        }
    }

    /// What was due and was not done, in words. A renewal is excused only while another payment of its group waits for a
    /// provider that did not answer; so is a charge that was asked about since, which is due later then.
    private static func left(by end: Date, _ ledger: any LedgerReader) throws -> [String] {
        let page = 1000
        let waits = try ledger.overdueTransactions(at: end, limit: page).map { "the wait of \($0.id.text)" }
        let charges = try ledger.dueCharges(at: end, limit: page).map { "the charge \($0.request.paymentID.text)" }
        let refunds = try ledger.dueRefunds(at: end, limit: page).map { "the refund \($0.id.text)" }
        let renewals = try ledger.dueCharges(at: .distantFuture, limit: page)
            .filter { charge in
                let subscription = try charge.subscriptionKey.flatMap(ledger.subscription)
                return charge.transactionKey == nil && charge.attempts == 0
                    && (subscription.map { $0.periodEnd <= end } ?? false)
            }
            .map { "the renewal \($0.request.paymentID.text)" }
        let subscriptions = try ledger.dueSubscriptions(at: end, limit: page)
            .filter { try !isExcused($0, ledger) }
            .map { "what was due at \($0.dueAt ?? end) for the subscription of \($0.original.id.text)" }
        return waits + charges + refunds + renewals + subscriptions
    }

    private static func isExcused(_ record: SubscriptionRecord, _ ledger: any LedgerReader) throws -> Bool {
        let charges = try ledger.charges(afterKey: 0, limit: .max)
        return charges.contains { charge in
            charge.queue == record.queue && charge.exclusiveGroup != nil && charge.state == .open && charge.attempts > 0
        }
    }
}

extension Change {
    /// What it tells of.
    var transactions: [Transaction] {
        switch self {
        case .updated(let transactions), .removed(let transactions), .revoked(let transactions): transactions
        default: []
        }
    }
}
