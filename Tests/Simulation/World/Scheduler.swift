import TestValues

/// Runs a simulation on the thread that calls it, one step after another, in an order that its seed decides.
///
/// A step is a job of Swift's concurrency or a call whose time has come; of those that are ready, any may be next. Time
/// passes only when nothing is ready.
// One thread runs a simulation and every job in it, so that nothing here is touched by two at once.
final class Scheduler: @unchecked Sendable {
    private enum Work {
        case job(UnownedJob, Host)
        case call(() -> Void, isElsewhere: Bool)

        /// What to call on another machine.
        var elsewhere: (() -> Void)? {
            if case .call(let call, isElsewhere: true) = self { call } else { nil }
        }
    }

    private struct Timer {
        var time: Duration
        var number: Int
        /// Whether it goes on while the machine sleeps.
        var isElsewhere: Bool
        var call: () -> Void
    }

    var random: SplitMix64
    let trace: Trace
    /// Since the simulation began.
    private(set) var now = Duration.zero
    /// How much of it the machine has slept.
    private var slept = Duration.zero
    private(set) var steps = 0
    /// Stands for all choices so far: equal for equal runs.
    private(set) var digest: UInt64 = 0
    /// What is called before each step, with its number.
    var beforeStep: (Int) -> Void = { _ in }
    private var ready: [Work] = []
    /// The next one last.
    private var timers: [Timer] = []
    private var lastTimer = 0

    init(seed: UInt64, trace: Trace) {
        random = SplitMix64(seed: seed)
        self.trace = trace
    }

    func enqueue(_ job: UnownedJob, on host: Host) {
        ready.append(.job(job, host))
    }

    /// Has `call` called once the time has passed, among what is ready then.
    ///
    /// - Parameter isElsewhere: Whether it happens on another machine, which does not sleep.
    /// - Returns: For ``cancel(_:)``.
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

    /// The machine sleeps: time passes while all on it stands still.
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

    /// Its time came before the machine slept.
    private func runWhatIsReadyElsewhere() {
        let calls = ready.compactMap(\.elsewhere)
        ready.removeAll { $0.elsewhere != nil }
        calls.forEach { $0() }
    }

    /// For how long the machine has been awake.
    var awake: Duration {
        now - slept
    }

    /// Runs until `isDone`, or until as many steps were made in all or the machine was awake for so long in all.
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

    /// Runs jobs of the host alone, until it has no task left.
    ///
    /// - Returns: Whether it came to that.
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

    /// Forgets everything that is still to be done.
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
