import TestValues

/// Runs a simulation on the calling thread, one step after another, in an order that the seed decides.
///
/// A step is a job of Swift's concurrency or a timer's call. Any ready step may be next. Time passes only when no step
/// is ready.
// One thread runs the whole simulation and every job in it, so no two threads access this.
final class Scheduler: @unchecked Sendable {
    private enum Work {
        case job(UnownedJob, Host)
        case call(() -> Void, isElsewhere: Bool)

        /// The call, if it happens on another machine.
        var elsewhere: (() -> Void)? {
            if case .call(let call, isElsewhere: true) = self { call } else { nil }
        }
    }

    private struct Timer {
        var time: Duration
        var number: Int
        /// Whether the timer continues while the machine sleeps.
        var isElsewhere: Bool
        var call: () -> Void
    }

    var random: SplitMix64
    let trace: Trace
    /// The time since the simulation began.
    private(set) var now = Duration.zero
    /// How long the machine has slept.
    private var slept = Duration.zero
    private(set) var steps = 0
    /// A digest of all choices so far, which is equal for equal runs.
    private(set) var digest: UInt64 = 0
    /// A function that is called before each step, with the step's number.
    var beforeStep: (Int) -> Void = { _ in }
    private var ready: [Work] = []
    /// Timers in order, the next one last.
    private var timers: [Timer] = []
    private var lastTimer = 0

    init(seed: UInt64, trace: Trace) {
        random = SplitMix64(seed: seed)
        self.trace = trace
    }

    func enqueue(_ job: UnownedJob, on host: Host) {
        ready.append(.job(job, host))
    }

    /// Takes the ready jobs of a host out of the steps, in their order.
    func takeJobs(of host: Host) -> [UnownedJob] {
        let jobs = ready.compactMap { work in
            if case .job(let job, let owner) = work, owner === host { job } else { nil }
        }
        ready.removeAll { work in
            if case .job(_, let owner) = work { owner === host } else { false }
        }
        return jobs
    }

    /// Adds `call` to the ready steps once the delay has passed.
    ///
    /// - Parameter isElsewhere: Whether the call happens on another machine, which does not sleep.
    /// - Returns: The number of the timer, for ``cancel(_:)``.
    @discardableResult
    func after(_ delay: Duration, isElsewhere: Bool = false, _ call: @escaping () -> Void) -> Int {
        lastTimer += 1
        let timer = Timer(time: now + max(.zero, delay), number: lastTimer, isElsewhere: isElsewhere, call: call)
        var index = timers.count
        while index > 0, timers[index - 1].time <= timer.time {
            index -= 1
        }
        timers.insert(timer, at: index)
        return timer.number
    }

    func cancel(_ timer: Int) {
        if let index = timers.lastIndex(where: { $0.number == timer }) {
            timers.remove(at: index)
        }
    }

    /// Has the machine sleep: time passes while everything on it stands still.
    func leap(_ duration: Duration) {
        let end = now + duration
        runWhatIsReadyElsewhere()
        while let index = timers.lastIndex(where: \.isElsewhere), timers[index].time <= end {
            let timer = timers.remove(at: index)
            now = max(now, timer.time)
            timer.call()
        }
        now = end
        slept += duration
        trace.note(now) { "the machine sleeps for \(duration)" }
    }

    /// Runs ready calls of other machines, whose time came before this machine slept.
    private func runWhatIsReadyElsewhere() {
        let calls = ready.compactMap(\.elsewhere)
        ready.removeAll { $0.elsewhere != nil }
        calls.forEach { $0() }
    }

    /// How long the machine has been awake.
    var awake: Duration {
        now - slept
    }

    /// Runs until `isDone`, or until the total number of steps or the total time awake reaches its maximum.
    func run(stepsMaximum: Int, timeMaximum: Duration, until isDone: () -> Bool) {
        while !isDone(), steps < stepsMaximum, awake < timeMaximum {
            takeDueTimers()
            guard !ready.isEmpty else {
                guard let next = timers.last else {
                    return
                }
                now = max(now, next.time)
                continue
            }
            steps += 1
            beforeStep(steps)
            guard !ready.isEmpty else {
                continue
            }
            step(random.below(ready.count))
        }
    }

    /// Runs only jobs of the host, until it has no task left.
    ///
    /// - Returns: Whether all tasks ended.
    func drain(_ host: Host) -> Bool {
        while host.tasks > 0 {
            let next = ready.lastIndex { work in
                if case .job(_, let owner) = work { owner === host } else { false }
            }
            guard let next else {
                return false
            }
            step(next)
        }
        return true
    }

    /// Forgets all remaining steps.
    func clear() {
        ready = []
        timers = []
        beforeStep = { _ in }
    }

    private func step(_ index: Int) {
        digest = (digest ^ UInt64(index) ^ UInt64(ready.count) << 8) &* 0x100_0000_01B3 &+ UInt64(timers.count)
        ready.swapAt(index, ready.count - 1)
        switch ready.removeLast() {
        case .job(let job, let host):
            unsafe job.runSynchronously(on: host.asUnownedTaskExecutor())
        case .call(let call, _):
            call()
        }
    }

    private func takeDueTimers() {
        while let timer = timers.last, timer.time <= now {
            timers.removeLast()
            ready.append(.call(timer.call, isElsewhere: timer.isElsewhere))
        }
    }
}
