import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that each transaction, by revision, changes only between documented states, in the view of any process.
    mutating func checkTransactions(_ queue: QueueEvidence) {
        for (id, sightings) in Dictionary(grouping: queue.sightings, by: \.id) {
            expect(
                .nothingIsInvented,
                queue.rows[id] != nil,
                "\(id.text) was seen in the queue of \(queue.books.name.application) but is not in the ledger"
            )
            let newest = sightings.map(\.revision).max() ?? 0
            expect(
                .statesMoveForward,
                queue.rows[id].map { $0.revision >= newest } ?? true,
                "\(id.text) was seen at revision \(newest), but the ledger has an older one"
            )
            let ordered = sightings.sorted { $0.revision < $1.revision }
            ordered.forEach { checkContent($0) }
            for (earlier, later) in zip(ordered, ordered.dropFirst()) {
                expect(
                    .statesMoveForward,
                    later.mayFollow(earlier),
                    "\(later.summary) came after \(earlier.summary)"
                )
            }
        }
    }

    /// Checks the fields that StoreKit promises for each state.
    private mutating func checkContent(_ sighting: Sighting) {
        let isBought = sighting.state == .purchased || sighting.state == .restored
        expect(
            .statesMoveForward,
            isBought == (sighting.transactionIdentifier != nil)
                && (sighting.state == .failed) == (sighting.moneyMoved != nil)
                && (sighting.state != .restored || sighting.original != nil),
            "\(sighting.summary) lacks fields of its state, or has fields of another state"
        )
    }
}

extension Sighting {
    /// Whether the same transaction may change from `earlier` to this.
    fileprivate func mayFollow(_ earlier: Sighting) -> Bool {
        // If another payment bought the product in the meantime, that purchase becomes the original of a waiting one.
        let mayGetOriginal = earlier.state == .purchasing || earlier.state == .deferred
        guard payment == earlier.payment, original == earlier.original || mayGetOriginal else {
            return false
        }
        if revision == earlier.revision {
            return self == earlier
        }
        if isRevoked {
            // A restored copy is revoked with its original.
            let isCopy = state == .restored && earlier.state == .restored && !earlier.isFinished
            let isPurchase = state == .purchased && earlier.state != .failed && earlier.state != .restored
            return (isCopy || isPurchase) && (isFinished || !earlier.isFinished)
        }
        // A finished transaction does not change otherwise.
        guard !earlier.isFinished, let state, let before = earlier.state, !isFinished || state.isFinal else {
            return false
        }
        switch before {
        case .purchasing: return state != .restored
        case .deferred: return state == .deferred || state == .purchased || state == .failed
        case .purchased where hasTerm: return state == before
        case .purchased, .failed, .restored: return state == before && isFinished
        }
    }
}
