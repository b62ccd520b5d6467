import Dispatch
import NIOConcurrencyHelpers

extension Array where Element: Sendable {
    /// The number of elements per work item. A signature takes about 25 microseconds, so this many justify waking a
    /// thread.
    private static var share: Int { 8 }

    /// Transforms the elements in parallel on all processors, and returns the results in order.
    func mapOnAllProcessors<Value: Sendable>(_ transform: @Sendable (Element) -> Value) -> [Value] {
        guard count > Self.share else {
            return map(transform)
        }
        let starts = Swift.Array(stride(from: 0, to: count, by: Self.share))
        let parts = NIOLockedValueBox([[Value]](repeating: [], count: starts.count))
        DispatchQueue.concurrentPerform(iterations: starts.count) { number in
            let part = self[starts[number]...].prefix(Self.share).map(transform)
            parts.withLockedValue { $0[number] = part }
        }
        return parts.withLockedValue { Swift.Array($0.joined()) }
    }
}
