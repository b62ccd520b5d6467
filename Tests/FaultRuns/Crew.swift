import Foundation
import Glibc
package import ProcessTesting
import TillEngine
package import TillInvariants

/// A daemon and the applications that buy from it: processes that may be killed and started again.
package struct Crew {
    /// A charge may be asked about again only after a minute.
    private static let settlingLimit = Duration.seconds(100)

    package let site: Site
    package let plan: CrewPlan
    package private(set) var daemon: ChildProcess
    package private(set) var workers: [ChildProcess] = []
    /// How often who was ended, and how.
    package private(set) var ends: [String: Int] = [:]
    /// From the last daemon's start until all that was begun had come to its end.
    package private(set) var timeToRest = Duration.zero
    private let seed: UInt64
    /// Each has queues and histories of its own.
    private var epoch = 0

    /// Starts all.
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

    /// Ends the daemon as a system does, and takes it that it ends well.
    package mutating func stopDaemon() async throws {
        try await site.waitUntilServing()
        daemon.signal(SIGTERM)
        try await expect(.status(0), of: daemon, await daemon.exit(), as: "tilld, by SIGTERM")
    }

    /// Waits for the daemon to end by itself.
    package mutating func awaitDaemon(_ expected: ChildProcess.Exit, within limit: Duration, as end: String)
        async throws
    {
        try await expect(expected, of: daemon, await daemon.exit(within: limit), as: "tilld, by \(end)")
    }

    /// Lets everything that was begun come to its end, and stops all.
    ///
    /// - Returns: How the applications ended that did not come to rest.
    package mutating func settle() async throws -> [UnexpectedExit] {
        try await stopDaemon()
        daemon = try site.startDaemon(CrewPlan.resting, environment: plan.environment)
        let start = ContinuousClock.now
        let restless = await settleWorkers()
        timeToRest = .now - start
        try await stopDaemon()
        return restless
    }

    /// Lets the applications come to rest, and end.
    package func settleWorkers() async -> [UnexpectedExit] {
        workers.forEach { $0.closeInput() }
        return await withTaskGroup { group in
            for worker in workers {
                group.addTask { UnexpectedExit(worker, await worker.exit(within: Self.settlingLimit), .status(0)) }
            }
            return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
    }

    /// Starts applications with queues of their own, after those before have ended, and forgets what those noted.
    package mutating func beginEpoch() throws {
        for number in workers.indices {
            try? FileManager.default.removeItem(atPath: historyPath(number))
        }
        epoch += 1
        for number in workers.indices {
            workers[number] = try makeWorker(number)
        }
    }

    /// Holds what the applications of this epoch noted against the books, after all came to rest.
    ///
    /// - Parameters:
    ///   - mark: Where the books stood at the end of the last epoch; it is moved to their end.
    ///   - others: Histories of who used the daemon besides the workers.
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
