import Foundation
import Glibc
package import ProcessTesting
import TillEngine
package import TillInvariants

/// A daemon and the applications that buy from it, as processes that may be killed and restarted.
package struct Crew {
    /// The time limit of settling. The daemon queries a charge again after 50 seconds at most.
    private static let settlingLimit = Duration.seconds(100)

    package let site: Site
    package let plan: CrewPlan
    package private(set) var daemon: ChildProcess
    package private(set) var workers: [ChildProcess] = []
    /// The number of exits, by process and kind.
    package private(set) var ends: [String: Int] = [:]
    /// The time from the last daemon's start until everything had settled.
    package private(set) var timeToSettle = Duration.zero
    private let seed: UInt64
    /// The number of the epoch. Each epoch has its own queues and histories.
    private var epoch = 0

    /// Starts the daemon and all workers.
    package init(site: Site, plan: CrewPlan = .standard, seed: UInt64) throws {
        self.site = site
        self.plan = plan
        self.seed = seed
        daemon = try site.startDaemon(plan.daemonOptions, environment: plan.environment)
        for number in plan.applications.indices {
            workers.append(try makeWorker(number))
        }
    }

    package mutating func startDaemon() throws {
        daemon = try site.startDaemon(plan.daemonOptions, environment: plan.environment)
    }

    package mutating func startWorker(_ number: Int) throws {
        workers[number] = try makeWorker(number)
    }

    package mutating func kill(_ process: ChildProcess) async throws {
        try await expect(.signal(SIGKILL), of: process, await process.killNow(), as: process.name)
    }

    /// Stops the daemon with SIGTERM, and requires a successful exit.
    package mutating func stopDaemon() async throws {
        try await site.waitUntilServing()
        daemon.signal(SIGTERM)
        try await expect(.status(0), of: daemon, await daemon.exit(), as: "tilld, by SIGTERM")
    }

    /// Waits until the daemon exits by itself.
    package mutating func awaitDaemon(_ expected: ChildProcess.Exit, within limit: Duration, as end: String)
        async throws
    {
        try await expect(expected, of: daemon, await daemon.exit(within: limit), as: "tilld, by \(end)")
    }

    /// Lets everything settle, and stops all processes.
    ///
    /// - Returns: The exits of the applications that did not settle.
    package mutating func settle() async throws -> [UnexpectedExit] {
        try await stopDaemon()
        daemon = try site.startDaemon(CrewPlan.settling, environment: plan.environment)
        let start = ContinuousClock.now
        let unsettled = await settleWorkers()
        timeToSettle = .now - start
        try await stopDaemon()
        return unsettled
    }

    /// Lets the applications settle and end.
    package func settleWorkers() async -> [UnexpectedExit] {
        workers.forEach { $0.closeInput() }
        return await withTaskGroup { group in
            for worker in workers {
                group.addTask { UnexpectedExit(worker, await worker.exit(within: Self.settlingLimit), .status(0)) }
            }
            return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
    }

    /// Starts an epoch after the applications have ended: new applications with their own queues, without the earlier
    /// histories.
    package mutating func beginEpoch() throws {
        for number in workers.indices {
            try? FileManager.default.removeItem(atPath: historyPath(number))
        }
        epoch += 1
        for number in workers.indices {
            workers[number] = try makeWorker(number)
        }
    }

    /// Checks the histories of this epoch against the books, after everything has settled.
    ///
    /// - Parameters:
    ///   - mark: The position of the books at the end of the last epoch; this advances it to their end.
    ///   - others: The histories of other clients of the daemon.
    package func verdict(since mark: inout BooksMark, with others: [History] = []) async throws -> Verdict {
        let applications = plan.applications.indices.map(application) + others.map(\.queue.application)
        let histories = try histories() + others
        var books = try await site.books(Array(Set(applications)).sorted(), histories: histories, since: mark)
        books.mayNeedReview = plan.mayNeedReview
        mark.advance(over: books)
        return Verdict(histories: histories, books: books)
    }

    package func verdict() async throws -> Verdict {
        var mark = BooksMark()
        return try await verdict(since: &mark)
    }

    private func histories() throws -> [History] {
        try plan.applications.indices.map { number in
            let data = FileManager.default.contents(atPath: historyPath(number)) ?? Data()
            let queue = QueueName(application: application(number), account: Site.account)
            return History(name: "worker \(number)", queue: queue, entries: try History.entries(of: data))
        }
    }
}

extension Crew {
    private func application(_ number: Int) -> String {
        plan.applications[number] + (epoch == 0 ? "" : ".epoch-\(epoch)")
    }

    private func historyPath(_ number: Int) -> String {
        "\(site.directory)/worker-\(number).\(epoch).jsonl"
    }

    private func makeWorker(_ number: Int) throws -> ChildProcess {
        try site.start(
            "worker \(number)",
            Binaries.worker,
            [
                "--socket", site.socket, "--application", application(number),
                "--history", historyPath(number), "--seed", String(seed &+ UInt64(number)),
            ] + plan.workerOptions,
            log: "worker-\(number).log",
            environment: plan.environment
        )
    }

    private mutating func expect(
        _ expected: ChildProcess.Exit,
        of process: ChildProcess,
        _ exit: ChildProcess.Exit,
        as end: String
    ) async throws {
        if let unexpected = UnexpectedExit(process, exit, expected) {
            throw unexpected
        }
        ends[end, default: 0] += 1
    }
}
