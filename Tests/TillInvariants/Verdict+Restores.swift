import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that each restore delivers every purchase once.
    mutating func checkRestores(_ queue: QueueEvidence) {
        let events = Dictionary(grouping: queue.books.events, by: \.restoreID)
        for restore in queue.books.restores where restore.state == .finished {
            guard let end = events[restore.id]?.first else {
                continue
            }
            checkCount(restore, endedAt: end.revision, queue)
            checkReach(restore, endedAt: end.revision, queue)
        }
        checkReturns(queue)
    }

    /// Checks that a restore ends once, and that a cancelled one does not end.
    mutating func checkRestoreEnds(_ queue: QueueEvidence) {
        let events = Dictionary(grouping: queue.books.events, by: \.restoreID)
        let dropped = Dictionary(uniqueKeysWithValues: queue.books.droppedRestores.map { ($0.id, $0) })
        for (id, ends) in events {
            expect(.restoresEndOnce, ends.count == 1, "the restore \(id.text) has \(ends.count) ends in the log")
        }
        for sequence in queue.sequences {
            for (id, ends) in Dictionary(grouping: sequence.restoreEnds, by: \.self) {
                expect(.restoresEndOnce, ends.count == 1, "\(sequence.name): \(ends.count) ends of \(id.text)")
            }
            for case .restoreEnded(let id, let count) in sequence.items {
                expect(
                    .restoresEndOnce,
                    events[id]?.first.map { $0.restoredCount == count } ?? dropped[id]?.ended(with: count) ?? false,
                    "\(sequence.name): the end of \(id.text) with \(count ?? -1) restored is not in the ledger"
                )
            }
        }
        for restore in queue.books.restores {
            let isFinished = events[restore.id]?.first?.restoredCount == restore.count
            expect(
                .restoresEndOnce,
                restore.state == (isFinished ? .finished : .failed),
                "the restore \(restore.id.text) is \(restore.state) in the ledger, but its end disagrees"
            )
        }
    }

    /// Checks the ledger alone: the count is at least the number of restorable purchases at the begin, and at most that
    /// at the end.
    private mutating func checkCount(_ restore: RestoreRecord, endedAt end: UInt64, _ queue: QueueEvidence) {
        let atLeast = queue.restorable(by: restore, at: restore.revision).count
        let atMost = queue.restorable(by: restore, at: end).count + queue.changed(since: restore, endedAt: end).count
        expect(
            .restoresAreComplete,
            atLeast <= restore.count && restore.count <= atMost,
            "the restore \(restore.id.text) restored \(restore.count) but must restore \(atLeast) to \(atMost)"
        )
    }

    /// Checks the deliveries to every sequence that was connected from the restore's begin to its end.
    private mutating func checkReach(_ restore: RestoreRecord, endedAt end: UInt64, _ queue: QueueEvidence) {
        let isAlone = !queue.overlaps(restore, endedAt: end)
        for sequence in queue.sequences {
            guard let live = sequence.live, live.lowerBound <= restore.revision,
                let place = sequence.place(of: restore.id)
            else {
                continue
            }
            let before = Array(sequence.items[..<place])
            let after = Array(sequence.items[place...])
            checkPlace(restore, endedAt: end, sequence, before, after)
            // A subscription's periods share one original.
            for original in queue.restorable(by: restore, at: restore.revision) where original.term == nil {
                let window = RestoreWindow(original: original.id, revisions: (restore.revision + 1)...end)
                let handed = window.handedOver(before)
                let isExcused =
                    queue.wasFinished(original.id, after: end, upTo: live.upperBound, after)
                    || queue.wasStillUnfinished(original.id, before: restore, before)
                expect(
                    .restoresAreComplete,
                    handed.all.isEmpty ? isExcused : !isAlone || handed.updated.count <= 1,
                    "\(sequence.name): the restore \(restore.id.text) delivered \(handed.updated.count) of \(original.id.text)"
                )
            }
        }
    }

    private mutating func checkPlace(
        _ restore: RestoreRecord,
        endedAt end: UInt64,
        _ sequence: ObservedSequence,
        _ before: [ObservedSequence.Item],
        _ after: [ObservedSequence.Item]
    ) {
        expect(
            .restoresAreComplete,
            before.compactMap(\.revision).allSatisfy { $0 < end }
                && after.compactMap(\.revision).allSatisfy { $0 > end },
            "\(sequence.name): the end of \(restore.id.text) (revision \(end)) is at the wrong place"
        )
    }

    /// Checks that each count returned to a process is that of a restore.
    private mutating func checkReturns(_ queue: QueueEvidence) {
        for history in queue.histories {
            var usernames: [Int: String?] = [:]
            for entry in history.entries {
                switch entry.fact {
                case .runStarted:
                    usernames = [:]
                case .restoreIntended(let number, let username):
                    usernames[number] = username
                case .restoreReturned(let number, let count):
                    let username = usernames.removeValue(forKey: number)
                    expect(
                        .restoresEndOnce,
                        (queue.books.restores + queue.books.droppedRestores).contains {
                            $0.ended(with: count) && .some($0.applicationUsername) == username
                        },
                        "\(history.name): a restore returned \(count), which no restore in the ledger has, or it returned twice"
                    )
                default:
                    break
                }
            }
        }
    }
}

extension RestoreRecord {
    /// Whether the restore ended with this count; nil stands for a failure.
    fileprivate func ended(with count: Int?) -> Bool {
        count.map { state == .finished && self.count == $0 } ?? (state == .failed)
    }
}
