import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// After a finish was answered, nothing that asks later is given the transaction again.
    mutating func checkFinishes(_ queue: QueueEvidence) {
        let finishes = Dictionary(grouping: queue.finishes, by: \.id)
        for finish in queue.finishes {
            expect(
                .finishedStaysFinished,
                queue.rows[finish.id]?.finishedAt != nil,
                "the finish of \(finish.id.text) was answered, and the ledger has it in the queue"
            )
        }
        for sequence in queue.sequences {
            for case .delivered(let sighting, let asked) in sequence.items {
                // That a finished purchase was refunded is told, as what it is.
                guard let finishes = finishes[sighting.id], !(sighting.isFinished && sighting.isRevoked) else {
                    continue
                }
                let broken = finishes.contains { finish in
                    finish.at < sequence.startedAt
                        // A process knows what it was told itself, whenever its sequence began.
                        || finish.history == sequence.history && finish.run == sequence.run && finish.at < asked
                }
                expect(
                    .finishedStaysFinished,
                    !broken,
                    "\(sequence.name): \(sighting.summary) was delivered after its finish was answered"
                )
            }
        }
    }
}
