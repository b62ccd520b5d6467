import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that a subscription's periods do not overlap, so that no day is paid for twice, unless one payment was
    /// refunded.
    mutating func checkPeriods(_ queue: QueueEvidence) {
        let paid = queue.books.transactions.filter { $0.state == .purchased && $0.revocation == nil }
        for terms in Dictionary(grouping: paid.compactMap(\.term).filter { !$0.isUpgraded }, by: \.subscription).values
        {
            let ordered = terms.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
            for (earlier, later) in zip(ordered, ordered.dropFirst()) {
                expect(
                    .noPeriodIsPaidTwice,
                    earlier.end <= later.start,
                    "a period of \(later.groupID) from \(later.start) was paid for, but also one until \(earlier.end)"
                )
            }
        }
    }

    /// Checks that an account uses one introductory offer of a group, and other offers once per payment, each for its
    /// number of periods.
    mutating func checkOffers(_ queue: QueueEvidence, _ books: Books) {
        let paid = queue.books.transactions.filter { $0.state == .purchased && $0.term != nil }
        for (use, uses) in Dictionary(grouping: paid.compactMap(OfferUse.init), by: \.self) {
            let periods = books.offers[use.product]?[use.offer]?.periods ?? 0
            let taken = queue.useCount(use)
            expect(
                .offersEnd,
                uses.count <= periods * taken,
                "\(use.offer) has \(periods) periods and was used \(taken) times, but applies to \(uses.count) periods"
            )
        }
        // If an operator found a charge later, its offer cannot be changed any more.
        let introduced = paid.filter {
            $0.offer?.type == .introductory && $0.continues == nil && $0.term?.isRenewal == false
        }
        for (group, rows) in Dictionary(grouping: introduced, by: { $0.term?.groupID }) {
            expect(
                .introductionsAreGivenOnce,
                rows.count == 1,
                "the introductory offer of \(group ?? "no group") was given to \(rows.map(\.id.text))"
            )
        }
    }
}

/// An offer of a product.
private struct OfferUse: Hashable {
    var product: String
    var offer: AppliedOffer

    init?(_ row: TransactionRecord) {
        guard let offer = row.offer else {
            return nil
        }
        product = row.payment.productID
        self.offer = offer
    }
}

extension QueueEvidence {
    /// The number of times that the account used the offer, or tried to.
    fileprivate func useCount(_ use: OfferUse) -> Int {
        guard use.offer.type == .introductory else {
            return intents.values.count { $0.product == use.product && $0.offer == use.offer.id }
        }
        let continued = books.transactions.count { $0.continues != nil && $0.offer == use.offer }
        return 1 + continued
    }
}
