import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// A subscription's periods follow each other: a day is paid for once, unless it was given back.
    mutating func checkPeriods(_ queue: QueueEvidence) {
        let paid = queue.books.transactions.filter { $0.state == .purchased && $0.revocation == nil }
        for terms in Dictionary(grouping: paid.compactMap(\.term).filter { !$0.isUpgraded }, by: \.subscription).values
        {
            let ordered = terms.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
            for (earlier, later) in zip(ordered, ordered.dropFirst()) {
                expect(
                    .noPeriodIsPaidTwice,
                    earlier.end <= later.start,
                    "a period of \(later.groupID) from \(later.start) was paid for, and one until \(earlier.end)"
                )
            }
        }
    }
}
