import Synchronization
import TillModel

/// Carries a value out of a closure that must be `Sendable`.
final class Box<Value: Sendable>: Sendable {
    private let content = Mutex<Value?>(nil)

    var value: Value? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }

    func get() throws -> Value {
        guard let value else {
            throw TillError(.internal, "The closure did not run.")
        }
        return value
    }
}
