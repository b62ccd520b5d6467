/// A simulated process. Its jobs run when the simulation chooses them, and never after the process has died.
// One thread runs the whole simulation, so no two threads access this.
final class Host: TaskExecutor, @unchecked Sendable {
    let scheduler: Scheduler
    let time: SimulatedTime
    /// Tasks that were started and have not ended.
    private(set) var tasks = 0
    private var running: [Int: Task<Void, Never>] = [:]
    private var lastTask = 0
    private var isPaused = false
    /// Jobs that became ready during a pause.
    private var held: [UnownedJob] = []

    init(scheduler: Scheduler, clock: WallClock) {
        self.scheduler = scheduler
        time = SimulatedTime(scheduler: scheduler, clock: clock)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard !isPaused else {
            return held.append(job)
        }
        scheduler.enqueue(job, on: self)
    }

    /// Has the process stand still. What it waits for happens without it.
    func pause() {
        isPaused = true
        held += scheduler.takeJobs(of: self)
    }

    func resume() {
        isPaused = false
        held.forEach { scheduler.enqueue($0, on: self) }
        held = []
    }

    /// Starts a task of the process.
    ///
    /// - Returns: The number of the task, for ``cancel(_:)``.
    @discardableResult
    func start(_ body: @escaping @Sendable () async -> Void) -> Int {
        lastTask += 1
        let number = lastTask
        tasks += 1
        running[number] = Task(executorPreference: self) {
            await body()
            self.end(number)
        }
        return number
    }

    func cancel(_ task: Int) {
        running[task]?.cancel()
    }

    /// Ends the process immediately: its tasks learn that they were cancelled, and can reach nothing any more.
    ///
    /// - Returns: Whether all tasks ended.
    func kill() -> Bool {
        running.keys.sorted().forEach { running[$0]?.cancel() }
        time.end()
        return scheduler.drain(self)
    }

    private func end(_ task: Int) {
        tasks -= 1
        running[task] = nil
    }
}
