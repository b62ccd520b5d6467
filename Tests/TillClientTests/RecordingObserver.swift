import NIOConcurrencyHelpers
import TillClient
import TillModel
import TillTesting

/// Finishes final transactions, and records its callbacks.
final class RecordingObserver: PaymentTransactionObserver {
    let calls = Collector<String>()
    let hasCaughtUp = Gate(isOpen: true)
    let hasRemoved = Gate(isOpen: true)
    let hasRestored = Gate(isOpen: true)
    let hasFailed = Gate(isOpen: true)

    func paymentQueue(_ queue: PaymentQueue, updatedTransactions transactions: [Transaction]) async {
        calls.append(Change.updated(transactions).summary)
        for transaction in transactions where transaction.state.isFinal {
            try? await queue.finish(transaction)
        }
    }

    func paymentQueue(_ queue: PaymentQueue, removedTransactions transactions: [Transaction]) async {
        calls.append(Change.removed(transactions).summary)
        await hasRemoved.pass()
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: PaymentQueue, count: Int) async {
        calls.append("restore finished \(count)")
        await hasRestored.pass()
    }

    func paymentQueue(
        _ queue: PaymentQueue,
        restoreCompletedTransactionsFailedWithError error: PaymentError
    ) async {
        calls.append("restore failed \(error.code)")
        await hasFailed.pass()
    }

    func paymentQueueInitialDeliveryEnded(_ queue: PaymentQueue) async {
        calls.append("initial delivery ended")
        await hasCaughtUp.pass()
    }

    func paymentQueue(_ queue: PaymentQueue, didChange connection: ConnectionState) async {
        calls.append(Change.connection(connection).summary)
    }
}

/// Collects values from closures.
final class Collector<Value: Sendable>: Sendable {
    private let gathered = NIOLockedValueBox<[Value]>([])

    var values: [Value] {
        gathered.withLockedValue { $0 }
    }

    func append(_ value: Value) {
        gathered.withLockedValue { $0.append(value) }
    }
}
