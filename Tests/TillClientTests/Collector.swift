import NIOConcurrencyHelpers

/// Gathers what closures are given.
final class Collector<Value: Sendable>: Sendable {
    private let gathered = NIOLockedValueBox<[Value]>([])

    var values: [Value] {
        gathered.withLockedValue { $0 }
    }

    func append(_ value: Value) {
        gathered.withLockedValue { $0.append(value) }
    }
}
