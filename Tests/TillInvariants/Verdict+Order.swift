import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that revisions rise within a sequence, and that no later sequence delivers an older state.
    mutating func checkOrder(_ queue: QueueEvidence) {
        var newest = NewestSeen(queue.sequences)
        for sequence in queue.sequences.sorted(by: { $0.startedAt < $1.startedAt }) {
            newest.advance(to: sequence.startedAt)
            var last: UInt64 = 0
            for (_, sighting) in sequence.sightings {
                expect(
                    .revisionsRise,
                    sighting.revision > last,
                    "\(sequence.name): \(sighting.summary) came after revision \(last)"
                )
                last = max(last, sighting.revision)
                let before = newest[sighting.id]
                expect(
                    .revisionsRise,
                    sighting.revision >= before,
                    "\(sequence.name): \(sighting.summary), which was seen at \(before) before the sequence began"
                )
            }
        }
    }
}

/// The newest revision of each transaction that any process had seen by a time.
private struct NewestSeen {
    private let sightings: [(at: UInt64, sighting: Sighting)]
    private var next = 0
    private var revisions: [UUID: UInt64] = [:]

    init(_ sequences: [ObservedSequence]) {
        sightings = sequences.flatMap(\.sightings).sorted { $0.at < $1.at }
    }

    subscript(id: UUID) -> UInt64 {
        revisions[id] ?? 0
    }

    mutating func advance(to time: UInt64) {
        while next < sightings.count, sightings[next].at < time {
            let sighting = sightings[next].sighting
            revisions[sighting.id] = max(self[sighting.id], sighting.revision)
            next += 1
        }
    }
}
