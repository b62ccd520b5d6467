import FoundationEssentials
import TillClient
import TillEngine
import TillInvariants
import TillMemoryLedger
import TillModel

/// Counts the answered advances of the store's clock after which the remaining work was examined. A run that examines
/// no advance proves nothing.
package struct ExaminedAdvances: Sendable {
    /// The start of 2038-01-20: later dates lie more than 2^31 s after 1970, and more than 2^30 s after 2001.
    private static let lateDates = Date(timeIntervalSince1970: 2_147_558_400)

    package private(set) var all = 0
    /// Advances by twenty years at once, in stores that sell subscriptions.
    package private(set) var ofTwentyYears = 0
    /// Advances after which the store's clock was past 2038.
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

    /// The number of advances of each kind, with the name of the kind.
    package var counts: [(kind: String, count: Int)] {
        [("all", all), ("by twenty years, with subscriptions", ofTwentyYears), ("past 2038", past2038)]
    }
}

extension World {
    /// Checks that no work due by `end` is left. The daemon's task calls this at the moment of the answer. The check is
    /// skipped if there is no caller to answer: the caller is gone, or the daemon is stopping.
    func examineAdvance(by days: Int, to end: Date, _ reading: ClockReading) async {
        guard !Task.isCancelled, anyDaemon()?.isStopping == false,
            let left = try? await disk.durable.read({ [book] in try Self.left(by: end, book, $0) })
        else {
            return
        }
        advances.count(days: days, reading, subscribes: profile.subscribes)
        for work in left {
            reportViolation("the clock was advanced to \(end), but \(work) was not done")
        }
    }

    /// Checks that all dates are as the ledger stores them.
    func examineDates(of transaction: Transaction) {
        let dates = [
            transaction.purchase?.transactionDate, transaction.original?.purchase.transactionDate, transaction.deadline,
            transaction.revocation?.date, transaction.subscription?.startDate, transaction.subscription?.expirationDate,
        ]
        for date in dates.compactMap(\.self) where date != date.roundedToMilliseconds {
            reportViolation(
                "a date of \(transaction.id.text) is not a whole millisecond: \(date.timeIntervalSince1970)"
            )
        }
    }

    /// Describes the due work that was not done. A renewal is excused only while another payment of its group waits for
    /// a provider that did not answer. A charge that was retried since is excused too, because its next attempt is due
    /// later; so is one that a busy provider refused, or
    /// that its payer or a bank had to decide about. A charge that is being withdrawn is left alone by all other work.
    private static func left(by end: Date, _ book: ProviderBook, _ ledger: any LedgerReader) throws -> [String] {
        let page = 1000
        let waits = try ledger.overdueTransactions(at: end, limit: page).map { "the wait of \($0.id.text)" }
        let charges = try ledger.dueCharges(at: end, limit: page)
            .filter { !book.isWithdrawing($0.request.paymentID) }
            .map { "the charge \($0.request.paymentID.text)" }
        let refunds = try ledger.dueRefunds(at: end, limit: page).map { "the refund \($0.id.text)" }
        let renewals = try ledger.dueCharges(at: .distantFuture, limit: page)
            .filter { charge in
                let subscription = try charge.subscriptionKey.flatMap(ledger.subscription)
                return charge.transactionKey == nil && charge.attempts == 0
                    && !book.delayed.contains(charge.request.paymentID)
                    && (subscription.map { $0.periodEnd <= end } ?? false)
            }
            .map { "the renewal \($0.request.paymentID.text)" }
        let subscriptions = try ledger.dueSubscriptions(at: end, limit: page)
            .filter { try !isExcused($0, delayed: book.delayed, ledger) }
            .map { "the step at \($0.dueAt ?? end) of the subscription of \($0.original.id.text)" }
        return waits + charges + refunds + renewals + subscriptions
    }

    private static func isExcused(
        _ record: SubscriptionRecord,
        delayed: Set<UUID>,
        _ ledger: any LedgerReader
    ) throws -> Bool {
        let charges = try ledger.charges(afterKey: 0, limit: .max)
        return charges.contains { charge in
            charge.queue == record.queue && charge.exclusiveGroup != nil && charge.state == .open
                && (charge.attempts > 0 || delayed.contains(charge.request.paymentID))
        }
    }
}

extension Change {
    /// The transactions that the change reports.
    var transactions: [Transaction] {
        switch self {
        case .updated(let transactions), .removed(let transactions), .revoked(let transactions): transactions
        default: []
        }
    }
}
