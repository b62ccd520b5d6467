package import Dispatch
import NIOConcurrencyHelpers

/// Runs callbacks one at a time, in order, on a dispatch queue that may change between callbacks.
package final class CallbackQueue: Sendable {
    /// How long a callback waits for its dispatch queue before a warning is written.
    package static let warningDelayDefault = Duration.seconds(5)

    private struct State: Sendable {
        var queue: DispatchQueue
        var waiting: ArraySlice<@Sendable () -> Void> = []
        /// Whether a callback is running or scheduled on its dispatch queue.
        var isScheduled = false
        var isRunning = false
        /// The number of times a callback was scheduled; only the latest schedule runs a callback.
        var schedules = 0
        /// The number of callbacks that have started.
        var begun = 0
        var isWatched = false
        var hasWarned = false
    }

    /// The callback queue of the process's payment queue.
    static let process = CallbackQueue()

    private let state: NIOLockedValueBox<State>
    private let warningDelay: Duration
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - warningDelay: How long a callback waits for its dispatch queue before `warn` is called once.
    ///   - warn: Called with the warning, on any thread.
    package init(
        queue: DispatchQueue = .main,
        warningDelay: Duration = warningDelayDefault,
        warn: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
    ) {
        state = NIOLockedValueBox(State(queue: queue))
        self.warningDelay = warningDelay
        self.warn = warn
    }

    /// The dispatch queue for all callbacks that have not started.
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

    /// Schedules a callback after the waiting ones.
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

    /// Schedules a callback after the waiting ones and returns once it has run.
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

    /// - Parameter number: The number of the schedule that this call belongs to.
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

    /// Checks once, after the delay, whether the next callback has started.
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
        let delay = DispatchTimeInterval.milliseconds(Int(warningDelay / .milliseconds(1)))
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
                "a callback has waited \(warningDelay) for the dispatch queue \(label); run it, or set SKPaymentQueue.deliveryQueue."
            )
        } else if goesOn {
            watch()
        }
    }
}
