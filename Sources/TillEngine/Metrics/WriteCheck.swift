import FoundationEssentials
import NIOConcurrencyHelpers
import TillModel

/// Finds out whether the ledger can be written, by a commit that is flushed and changes nothing.
///
/// However often it is asked for, at most one check begins in ``interval``, and none begins while one is under way.
final class WriteCheck: Sendable {
    static let interval: TimeInterval = 1
    /// How long a check may take before the ledger counts as not writable: below the time after which commands are refused.
    static let patience = Duration.seconds(3)

    private struct State {
        var begunAt: Date?
        var isUnderWay = false
        var isWritable = false
    }

    private let commits: GroupCommit
    private let time: any TimeSource
    private let state = NIOLockedValueBox(State())

    /// - Parameter time: A clock that operators do not advance.
    init(commits: GroupCommit, time: any TimeSource) {
        self.commits = commits
        self.time = time
    }

    func check() async -> Bool {
        if let known = knownOrBegin() {
            return known
        }
        let answers = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        commits.submit(isOwn: false) { context -> Result<Void, TillError> in
            try context.ledger.touch()
            return .success(())
        } then: { result in
            let isWritable = (try? result.get()) != nil
            self.state.withLockedValue { state in
                state.isUnderWay = false
                state.isWritable = isWritable
            }
            answers.continuation.finish()
        }
        await wait(for: answers.stream)
        return state.withLockedValue { state in
            // A check that is answered later says so to the next caller.
            if state.isUnderWay {
                state.isWritable = false
            }
            return state.isWritable
        }
    }

    /// The last finding; nil if the caller has to check.
    private func knownOrBegin() -> Bool? {
        let now = time.now()
        return state.withLockedValue { state in
            // The clock may have been set back.
            let isRecent = state.begunAt.map { (0..<Self.interval).contains(now.timeIntervalSince($0)) } ?? false
            if isRecent || state.isUnderWay {
                return state.isWritable
            }
            state.begunAt = now
            state.isUnderWay = true
            return nil
        }
    }

    private func wait(for end: AsyncStream<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in end {}
            }
            group.addTask { try? await self.time.sleep(for: Self.patience) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension PaymentEngine {
    /// Whether commands become durable now. It costs a commit with one flush of the disk, at most once a second for all
    /// callers together. In between, and while a check is under way, the answer is the last finding, and false before the
    /// first.
    ///
    /// - Returns: False also if the commit takes longer than three seconds, or is refused.
    package func checkWrites() async -> Bool {
        await writeCheck.check()
    }
}
