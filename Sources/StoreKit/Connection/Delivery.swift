package import Dispatch
import NIOConcurrencyHelpers

/// Makes callbacks one at a time, in order, on a dispatch queue that may be another from one callback to the next.
package final class Delivery: Sendable {
    /// How long a callback waits for its queue before that is warned of.
    package static let patienceDefault = Duration.seconds(5)

    private struct State: Sendable {
        var queue: DispatchQueue
        var waiting: ArraySlice<@Sendable () -> Void> = []
        /// Whether a callback is running, or its queue was asked to run it.
        var isScheduled = false
        var isRunning = false
        /// How often a queue was asked; only the last that was asked runs a callback.
        var schedules = 0
        /// How many callbacks have begun.
        var begun = 0
        var isWatched = false
        var hasWarned = false
    }

    /// Of the process's queue.
    static let process = Delivery()

    private let state: NIOLockedValueBox<State>
    private let patience: Duration
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - patience: How long a callback waits for its queue before `warn` is called, once.
    ///   - warn: Called on any thread.
    package init(
        queue: DispatchQueue = .main,
        patience: Duration = patienceDefault,
        warn: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
    ) {
        state = NIOLockedValueBox(State(queue: queue))
        self.patience = patience
        self.warn = warn
    }

    /// Where callbacks run, from the next one on that has not begun.
    package var queue: DispatchQueue {
        get { state.withLockedValue { $0.queue } }
        set {
            let isWaiting = state.withLockedValue { state in
                state.queue = newValue
                return state.isScheduled && !state.isRunning
            }
            if isWaiting {
                schedule()
            }
        }
    }

    /// Makes a callback after those that wait already.
    package func enqueue(_ callback: @escaping @Sendable () -> Void) {
        let isIdle = state.withLockedValue { state in
            state.waiting.append(callback)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isIdle {
            schedule()
        }
    }

    /// The same, and returns once it was made.
    package func perform(_ callback: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            enqueue {
                callback()
                continuation.resume()
            }
        }
    }

    private func schedule() {
        let (queue, number) = state.withLockedValue { state in
            state.schedules += 1
            return (state.queue, state.schedules)
        }
        queue.async { self.runNext(number) }
        watch()
    }

    /// - Parameter number: Which time a queue was asked.
    private func runNext(_ number: Int) {
        let next: (@Sendable () -> Void)? = state.withLockedValue { state in
            guard number == state.schedules, !state.isRunning, let next = state.waiting.popFirst() else {
                return nil
            }
            state.isRunning = true
            state.begun += 1
            return next
        }
        guard let next else {
            return
        }
        next()
        let isMore = state.withLockedValue { state in
            state.isRunning = false
            state.isScheduled = !state.waiting.isEmpty
            return state.isScheduled
        }
        if isMore {
            schedule()
        }
    }

    /// Looks once after a while whether the callback that is waited for has begun.
    private func watch() {
        let begun = state.withLockedValue { state in
            guard !state.isWatched, !state.hasWarned else {
                return nil as Int?
            }
            state.isWatched = true
            return state.begun
        }
        guard let begun else {
            return
        }
        let delay = DispatchTimeInterval.milliseconds(Int(patience / .milliseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { self.look(after: begun) }
    }

    private func look(after begun: Int) {
        let (isStuck, label, goesOn) = state.withLockedValue { state in
            state.isWatched = false
            let isStuck = state.isScheduled && state.begun == begun
            state.hasWarned = isStuck
            return (isStuck, state.queue.label, state.isScheduled && !isStuck)
        }
        if isStuck {
            warn(
                "a callback has waited \(patience) for the dispatch queue \(label); run it, or set SKPaymentQueue.deliveryQueue."
            )
        } else if goesOn {
            watch()
        }
    }
}
