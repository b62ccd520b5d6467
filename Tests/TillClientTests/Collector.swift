import Synchronization

/// Gathers what closures are given.
final class Collector<Value: Sendable>: Sendable {
    private let gathered = Mutex<[Value]>([])

    var values: [Value] {
        gathered.withLock { $0 }
    }

    func append(_ value: Value) {
        gathered.withLock { $0.append(value) }
    }
}
