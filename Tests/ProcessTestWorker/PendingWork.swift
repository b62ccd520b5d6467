import FoundationEssentials
import Synchronization
import TillClient
import TillInvariants

/// The pending work of the application: payments without an answer, transactions to finish, and removals to wait for.
final class PendingWork: Sendable {
    /// The number of acknowledged payments that are kept to be sent again.
    private static let repeatable = 64

    private struct State {
        var open: [UUID: PaymentNote] = [:]
        var acknowledged: [PaymentNote] = []
        /// Transactions that are final and not finished, as far as this process knows.
        var finishable: [UUID] = []
        /// Transactions delivered in the current sequence. The value is true once the finish was answered, so the
        /// removal must follow.
        var present: [UUID: Bool] = [:]
        /// Whether the current sequence has delivered all unfinished transactions.
        var isComplete = false
        var restores = 0
        var isSettling = false
        /// The number of acts left; nil if only time limits them.
        var actsLeft: Int?
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - past: The facts that earlier runs wrote down.
    ///   - acts: The number of acts until the application settles by itself.
    init(open past: [FactEntry], acts: Int? = nil) {
        var open: [UUID: PaymentNote] = [:]
        for entry in past {
            switch entry.fact {
            case .addIntended(let payment): open[payment.id] = payment
            case .addAcknowledged(let sighting): open[sighting.id] = nil
            case .addRefused(let id, _): open[id] = nil
            default: break
            }
        }
        state = Mutex(State(open: open, actsLeft: acts))
    }

    /// Allows no new work from now on.
    func settle() {
        state.withLock { $0.isSettling = true }
    }

    /// Takes one of the acts left; returns false if none is left.
    func takeUpAct() -> Bool {
        state.withLock { state in
            if let left = state.actsLeft {
                state.actsLeft = max(0, left - 1)
                state.isSettling = state.isSettling || left == 0
            }
            return !state.isSettling
        }
    }

    var isSettling: Bool {
        state.withLock { $0.isSettling }
    }

    /// Payments that were sent, or were about to be sent, and have no answer.
    var open: [PaymentNote] {
        state.withLock { state in state.open.values.sorted { $0.id.uuidString < $1.id.uuidString } }
    }

    func intend(_ payment: PaymentNote) {
        state.withLock { $0.open[payment.id] = payment }
    }

    func acknowledge(_ payment: PaymentNote) {
        state.withLock { state in
            state.open[payment.id] = nil
            state.acknowledged.append(payment)
            state.acknowledged.removeFirst(max(0, state.acknowledged.count - Self.repeatable))
        }
    }

    func refuse(_ id: UUID) {
        state.withLock { $0.open[id] = nil }
    }

    var acknowledged: [PaymentNote] {
        state.withLock { $0.acknowledged }
    }

    func nextRestore() -> Int {
        state.withLock { state in
            state.restores += 1
            return state.restores
        }
    }
}

extension PendingWork {
    func beginSequence() {
        state.withLock { state in
            state.present = [:]
            state.isComplete = false
        }
    }

    func completeInitialDelivery() {
        state.withLock { $0.isComplete = true }
    }

    /// Forgets an interrupted initial delivery: it starts again from the beginning. It leaves out transactions that
    /// other processes have finished in the meantime, and does not report their removal.
    func disconnect() {
        state.withLock { state in
            if !state.isComplete {
                state.present = [:]
            }
        }
    }

    /// - Parameter needsContent: Whether the transaction is finished only after its content was downloaded.
    func deliver(_ transaction: Transaction, needsContent: Bool) {
        let isDue = transaction.state.isFinal && (!needsContent || transaction.downloads.allSatisfy(\.isHere))
        state.withLock { state in
            state.present[transaction.id] = false
            if isDue, !state.finishable.contains(transaction.id) {
                state.finishable.append(transaction.id)
            }
        }
    }

    /// Notes that all content of the transaction is downloaded.
    func noteContent(of id: UUID) {
        state.withLock { state in
            if state.present[id] == false, !state.finishable.contains(id) {
                state.finishable.append(id)
            }
        }
    }

    func remove(_ id: UUID) {
        state.withLock { state in
            state.present[id] = nil
            state.finishable.removeAll { $0 == id }
        }
    }

    func finish(_ id: UUID) {
        state.withLock { state in
            state.finishable.removeAll { $0 == id }
            if state.present[id] != nil {
                state.present[id] = true
            }
        }
    }

    func isFinishable(_ id: UUID) -> Bool {
        state.withLock { $0.finishable.contains(id) }
    }

    var finishable: [UUID] {
        state.withLock { $0.finishable }
    }

    /// A transaction in the queue that is not final, to try calls that must be refused.
    var unfinal: UUID? {
        state.withLock { state in
            state.present.keys.first { !state.finishable.contains($0) && state.present[$0] == false }
        }
    }

    /// Whether nothing is left to send, to finish or to wait for.
    var isClear: Bool {
        state.withLock { $0.open.isEmpty && $0.finishable.isEmpty && !$0.present.values.contains(true) }
    }
}
