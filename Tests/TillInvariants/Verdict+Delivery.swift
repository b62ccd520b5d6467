import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that an initial delivery contains every transaction that was unfinished throughout it.
    mutating func checkInitialDelivery(_ queue: QueueEvidence) {
        let known = queue.knownSince.map {
            (id: $0.key, since: $0.value, until: queue.finishIntendedAt[$0.key] ?? .max)
        }
        .sorted { $0.since < $1.since }
        for sequence in queue.sequences {
            guard let end = sequence.initialDeliveryEndedAt else {
                continue
            }
            let delivered = Set(sequence.sightings.prefix { $0.at < end }.map(\.sighting.id))
            for transaction in known.prefix(while: { $0.since < sequence.startedAt }) where transaction.until > end {
                expect(
                    .initialDeliveryIsComplete,
                    delivered.contains(transaction.id),
                    "\(sequence.name): the initial delivery ended without \(transaction.id.text), which was unfinished"
                )
            }
        }
    }

    /// Checks that a sequence that continues across lost connections misses no change and no end of a restore.
    mutating func checkContinuity(_ queue: QueueEvidence) {
        let rows = queue.books.transactions.sorted { $0.revision < $1.revision }
        for sequence in queue.sequences {
            guard let live = sequence.live else {
                continue
            }
            let seen = Set(sequence.sightings.map { SeenChange(id: $0.sighting.id, revision: $0.sighting.revision) })
            for row in rows.drop(while: { $0.revision < live.lowerBound }).prefix(while: { live.contains($0.revision) })
            {
                expect(
                    .nothingIsSkipped,
                    seen.contains(SeenChange(id: row.id, revision: row.revision)),
                    "\(sequence.name): saw revisions \(live), but not \(row.id.text) at revision \(row.revision)"
                )
            }
            let ends = sequence.restoreEnds
            for event in queue.books.events where live.contains(event.revision) {
                expect(
                    .nothingIsSkipped,
                    ends.contains(event.restoreID),
                    "\(sequence.name): saw revisions \(live), but not the end of the restore \(event.restoreID.text)"
                )
            }
        }
    }
}

private struct SeenChange: Hashable {
    var id: UUID
    var revision: UInt64
}

extension ObservedSequence {
    /// The restores whose ends the sequence delivered, in order.
    var restoreEnds: [UUID] {
        items.compactMap { item in
            guard case .restoreEnded(let id, _) = item else {
                return nil
            }
            return id
        }
    }
}
