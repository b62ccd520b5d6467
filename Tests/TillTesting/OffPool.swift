import Foundation

/// Runs blocking work on its own thread. A test's store runs on the threads of Swift's tasks, and needs one of them to
/// answer.
package func offPool<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
