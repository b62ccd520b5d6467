package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillModel

/// The ledger's figures, read at most once in ``interval`` however often they are asked for.
final class FigureCache: Sendable {
    /// For how long figures are kept.
    static let interval: TimeInterval = 5

    private struct State {
        var figures: LedgerFigures?
        /// When the last reading began.
        var readAt: Date?
        var isReading = false
    }

    private let access: LedgerAccess
    private let time: any TimeSource
    private let state = NIOLockedValueBox(State())

    /// - Parameter time: A clock that operators do not advance.
    init(access: LedgerAccess, time: any TimeSource) {
        self.access = access
        self.time = time
    }

    /// The figures, which are at most ``interval`` old, or as of the last reading while another is under way.
    ///
    /// - Parameter date: The time by the store's clock, for what is due.
    func figures(at date: Date) async throws(TillError) -> LedgerFigures {
        if let kept = keptOrBegin() {
            return kept
        }
        do throws(TillError) {
            let figures = try await access.read { try $0.figures(at: date) }
            state.withLockedValue { state in
                state.figures = figures
                state.isReading = false
            }
            return figures
        } catch {
            state.withLockedValue { state in
                state.readAt = nil
                state.isReading = false
            }
            throw error
        }
    }

    /// The kept figures; nil if the caller has to read them.
    private func keptOrBegin() -> LedgerFigures? {
        let now = time.now()
        return state.withLockedValue { state in
            // The clock may have been set back.
            let isFresh = state.readAt.map { (0..<Self.interval).contains(now.timeIntervalSince($0)) } ?? false
            if isFresh || state.isReading, let figures = state.figures {
                return figures
            }
            state.readAt = now
            state.isReading = true
            return nil
        }
    }
}

extension PaymentEngine {
    /// The ledger's figures, at most five seconds old.
    package func ledgerFigures() async throws(TillError) -> LedgerFigures {
        try await figures.figures(at: time.now())
    }

    /// What the engine does now.
    package var activity: EngineActivity {
        EngineActivity(
            waitingCommands: commits.waitingCount,
            attachedAgents: agents.count,
            activeDownloads: active.count,
            date: time.now()
        )
    }
}

/// Figures of the engine that are in memory.
package struct EngineActivity: Hashable, Sendable {
    package var waitingCommands: Int
    package var attachedAgents: Int
    package var activeDownloads: Int
    /// The time by the store's clock.
    package var date: Date
}
