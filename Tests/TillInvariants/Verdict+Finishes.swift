import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that a transaction is not delivered to requests that follow the answer to its finish.
    mutating func checkFinishes(_ queue: QueueEvidence) {
        let finishes = Dictionary(grouping: queue.finishes, by: \.id)
        for finish in queue.finishes {
            expect(
                .finishedStaysFinished,
                queue.rows[finish.id]?.finishedAt != nil,
                "the finish of \(finish.id.text) was answered, but the ledger has it in the queue"
            )
        }
        for sequence in queue.sequences {
            for case .delivered(let sighting, let asked) in sequence.items {
                // A refund of a finished purchase is delivered as a finished, revoked transaction.
                guard let finishes = finishes[sighting.id], !(sighting.isFinished && sighting.isRevoked) else {
                    continue
                }
                let broken = finishes.contains { finish in
                    finish.at < sequence.startedAt
                        // A process knows the answers that it received itself, even if its sequence began earlier.
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
