import FoundationEssentials
import TillInvariants
import TillModel

/// What one run of a shopper's process has to do: payments without an answer, transactions to finish, removals to wait
/// for.
struct Desk {
    /// Payments that were sent, or were about to be, and have no answer.
    private(set) var open: [PaymentNote] = []
    private(set) var acknowledged: [PaymentNote] = []
    /// Final and not finished, as far as this process knows.
    private(set) var finishable: [UUID] = []
    /// Delivered in the present sequence; true once the finish was answered and its removal has to come.
    private var present: [UUID: Bool] = [:]
    /// Whether the present sequence has delivered everything that was unfinished.
    private var isComplete = false

    /// - Parameter past: What earlier runs wrote down.
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

    /// An initial delivery that was broken off begins anew, without what others have finished meanwhile: whether that is
    /// removed is not told.
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

    /// The transactions in the queue that are not final, as far as is known.
    var unfinal: [UUID] {
        acknowledged.map(\.id).filter { present[$0] == false && !finishable.contains($0) }
    }

    /// Whether nothing is left to send, to finish or to be told.
    var isClear: Bool {
        open.isEmpty && finishable.isEmpty && !present.values.contains(true)
    }
}
