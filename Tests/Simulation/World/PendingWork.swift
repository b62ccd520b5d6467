import FoundationEssentials
import TillInvariants
import TillModel

/// The pending work of one run of a shopper's process: payments without an answer, transactions to finish, and removals
/// to wait for.
struct PendingWork {
    /// Payments that were sent, or were about to be sent, and have no answer.
    private(set) var open: [PaymentNote] = []
    private(set) var acknowledged: [PaymentNote] = []
    /// Transactions that are final and not finished, as far as this process knows.
    private(set) var finishable: [UUID] = []
    /// Transactions delivered in the current sequence. The value is true once the finish was answered, so the removal
    /// must follow.
    private var present: [UUID: Bool] = [:]
    /// Whether the current sequence has delivered all unfinished transactions.
    private var isComplete = false

    /// - Parameter past: The facts that earlier runs wrote down.
    init(past: [FactEntry]) {
        for entry in past {
            switch entry.fact {
            case .addIntended(let payment): intend(payment)
            case .addAcknowledged(let sighting): close(sighting.id)
            case .addRefused(let id, _): close(id)
            default: break
            }
        }
    }

    mutating func intend(_ payment: PaymentNote) {
        if !open.contains(payment) {
            open.append(payment)
        }
    }

    mutating func acknowledge(_ payment: PaymentNote) {
        close(payment.id)
        if !acknowledged.contains(payment) {
            acknowledged.append(payment)
        }
    }

    mutating func close(_ id: UUID) {
        open.removeAll { $0.id == id }
    }

    mutating func beginSequence() {
        present = [:]
        isComplete = false
    }

    mutating func completeInitialDelivery() {
        isComplete = true
    }

    /// Forgets an interrupted initial delivery: it starts again from the beginning. It leaves out transactions that
    /// other processes have finished in the meantime, and does not report their removal.
    mutating func disconnect() {
        if !isComplete {
            present = [:]
        }
    }

    mutating func deliver(_ transaction: Transaction) {
        present[transaction.id] = false
        if transaction.state.isFinal, !finishable.contains(transaction.id) {
            finishable.append(transaction.id)
        }
    }

    mutating func remove(_ id: UUID) {
        present[id] = nil
        finishable.removeAll { $0 == id }
    }

    mutating func finish(_ id: UUID) {
        finishable.removeAll { $0 == id }
        if present[id] != nil {
            present[id] = true
        }
    }

    /// Transactions in the queue that are not final, as far as this process knows.
    var unfinal: [UUID] {
        acknowledged.map(\.id).filter { present[$0] == false && !finishable.contains($0) }
    }

    /// Whether nothing is left to send, to finish or to wait for.
    var isClear: Bool {
        open.isEmpty && finishable.isEmpty && !present.values.contains(true)
    }
}
