import Foundation

/// Runs what blocks its thread on one of its own: the store of a test runs on those of Swift's tasks, and needs one to answer.
package func offPool<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
