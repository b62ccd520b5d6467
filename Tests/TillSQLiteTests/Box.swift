import NIOConcurrencyHelpers
import TillModel

/// Carries a value out of a closure that must be `Sendable`.
final class Box<Value: Sendable>: Sendable {
    private let content = NIOLockedValueBox<Value?>(nil)

    var value: Value? {
        get { content.withLockedValue { $0 } }
        set { content.withLockedValue { $0 = newValue } }
    }

    func get() throws -> Value {
        guard let value else {
            throw TillError(.internal, "The closure did not run.")
        }
        return value
    }
}
