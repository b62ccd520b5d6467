import FoundationEssentials
import TillClient

/// The payments of one queue, each from its add until its removal from the queue.
struct LivingPayments {
    private typealias Calls = ThrowingDiscardingTaskGroup<any Error>

    private let queue: PaymentQueue
    private let period: Period
    /// The time of the add of each payment that is not removed yet.
    private var added: [UUID: Moment] = [:]
    private var latencies: [UInt32] = []

    init(queue: PaymentQueue, period: Period) {
        self.queue = queue
        self.period = period
    }

    /// Returns the latencies of the payments that ended within the period.
    mutating func run(inFlight: Int) async throws -> [UInt32] {
        try await withThrowingDiscardingTaskGroup { calls in
            for try await change in queue.changes {
                switch change {
                case .initialDeliveryEnded:
                    for _ in 0..<inFlight {
                        begin(&calls)
                    }
                case .updated(let transactions):
                    try finish(transactions, &calls)
                case .removed(let transactions):
                    remove(transactions, &calls)
                    if added.isEmpty {
                        return
                    }
                default:
                    break
                }
            }
        }
        return latencies
    }

    private mutating func begin(_ calls: inout Calls) {
        let payment = Payment(productID: Daemon.product)
        added[payment.id] = .now
        calls.addTask { [queue] in try await queue.add(payment) }
    }

    private func finish(_ transactions: [Transaction], _ calls: inout Calls) throws {
        for transaction in transactions where transaction.state.isFinal {
            guard transaction.state == .purchased else {
                throw LoadError("A payment failed: \(transaction.error?.message ?? "no error was given").")
            }
            calls.addTask { [queue] in try await queue.finish(transaction) }
        }
    }

    /// Records the latencies of removed payments, and begins others in their place during the period.
    private mutating func remove(_ transactions: [Transaction], _ calls: inout Calls) {
        let now = Moment.now
        for transaction in transactions {
            guard let before = added.removeValue(forKey: transaction.id) else {
                continue
            }
            if let latency = period.latency(from: before, to: now) {
                latencies.append(latency)
            }
            if !period.isOver(at: now) {
                begin(&calls)
            }
        }
    }
}
