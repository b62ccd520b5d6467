import Foundation
import GRDB
import Glibc
import ProcessTesting
import TillEngine
import TillInvariants

/// Applications that buy from a daemon while both are killed at random moments, and then come to rest.
struct KillRun {
    /// Ended by something else than this run, or not in time.
    struct UnexpectedExit: Error {
        var process: String
        var exit: ChildProcess.Exit
        var expected: ChildProcess.Exit

        /// Nil for an exit that was expected.
        init?(_ process: ChildProcess, _ exit: ChildProcess.Exit, _ expected: ChildProcess.Exit) {
            guard exit != expected else {
                return nil
            }
            self.process = process.name
            self.exit = exit
            self.expected = expected
        }
    }

    /// Between two kills, in milliseconds.
    private static let momentMaximum = 600
    /// A charge may be asked about again only after a minute.
    private static let settlingLimit = Duration.seconds(100)
    private static let applications = ["org.example.alpha", "org.example.alpha", "org.example.beta"]

    let site: Site
    private var random: SeededRandom
    private var daemon: ChildProcess
    private var workers: [ChildProcess] = []
    private(set) var kills: [String: Int] = [:]

    init(site: Site, random: SeededRandom) throws {
        self.site = site
        self.random = random
        daemon = try site.startDaemon(Self.faults)
        for number in Self.applications.indices {
            workers.append(try startWorker(number))
        }
    }

    /// Waits for a random moment, kills somebody, and starts them again.
    mutating func round() async throws {
        await moment(upTo: Self.momentMaximum)
        switch Int.random(in: 0..<100, using: &random) {
        case ..<45:
            try await killWorker()
        case ..<75:
            try await killDaemon()
        case ..<95:
            try await killBoth()
        default:
            try await stopDaemon()
            daemon = try site.startDaemon(Self.faults)
        }
    }

    /// Lets everything that was begun come to its end, and stops all.
    ///
    /// - Returns: How the applications ended that did not come to rest.
    mutating func settle() async throws -> [UnexpectedExit] {
        try await stopDaemon()
        daemon = try site.startDaemon(Self.lastingFaults)
        workers.forEach { $0.closeInput() }
        let restless = await withTaskGroup { group in
            for worker in workers {
                group.addTask { UnexpectedExit(worker, await worker.exit(within: Self.settlingLimit), .status(0)) }
            }
            return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        try await stopDaemon()
        return restless
    }

    func histories() throws -> [History] {
        try Self.applications.indices.map { number in
            let data = FileManager.default.contents(atPath: historyPath(number)) ?? Data()
            let queue = QueueName(application: Self.applications[number], account: Site.account)
            return History(name: "worker \(number)", queue: queue, entries: try History.entries(of: data))
        }
    }

    func verdict() async throws -> Verdict {
        let books = try await site.books(Array(Set(Self.applications)).sorted())
        return Verdict(histories: try histories(), books: books)
    }

    /// What SQLite says of the whole file: `ok`.
    func integrity() async throws -> [String] {
        let database = try DatabaseQueue(path: site.ledger)
        return try await database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    }
}

extension KillRun {
    private static let lastingFaults = ["--simulated-decline", TestStore.declined.joined(separator: ",")]
    private static let faults =
        lastingFaults + [
            "--simulated-timeout-before", TestStore.timeoutBefore.joined(separator: ","),
            "--simulated-timeout-after", TestStore.timeoutAfter.joined(separator: ","),
            "--simulated-slow", TestStore.slow.joined(separator: ","), "--simulated-delay", "1",
        ]

    private func historyPath(_ number: Int) -> String {
        "\(site.directory)/worker-\(number).jsonl"
    }

    private func startWorker(_ number: Int) throws -> ChildProcess {
        let seldom = (TestStore.timeoutBefore + TestStore.slow).flatMap { ["--seldom", $0] }
        return try site.start(
            "worker \(number)",
            Binaries.worker,
            [
                "--socket", site.socket, "--application", Self.applications[number],
                "--history", historyPath(number), "--seed", String(random.seed &+ UInt64(number)),
            ] + seldom,
            log: "worker-\(number).log"
        )
    }

    private mutating func moment(upTo milliseconds: Int) async {
        await Alarm.after(.milliseconds(Int.random(in: 0...milliseconds, using: &random)))
    }

    private mutating func killWorker() async throws {
        let number = Int.random(in: workers.indices, using: &random)
        try await kill(workers[number])
        workers[number] = try startWorker(number)
    }

    private mutating func killDaemon() async throws {
        try await kill(daemon)
        if Int.random(in: 0..<4, using: &random) == 0 {
            await moment(upTo: 150)
        }
        daemon = try site.startDaemon(Self.faults)
    }

    /// Kills both at once, and starts them in either order.
    private mutating func killBoth() async throws {
        let number = Int.random(in: workers.indices, using: &random)
        workers[number].signal(SIGKILL)
        try await kill(daemon)
        try await kill(workers[number])
        if Bool.random(using: &random) {
            daemon = try site.startDaemon(Self.faults)
            workers[number] = try startWorker(number)
        } else {
            workers[number] = try startWorker(number)
            daemon = try site.startDaemon(Self.faults)
        }
    }

    private mutating func kill(_ process: ChildProcess) async throws {
        try require(await process.killNow(), .signal(SIGKILL), of: process)
        kills[process.name, default: 0] += 1
    }

    private mutating func stopDaemon() async throws {
        try await site.waitUntilServing()
        daemon.signal(SIGTERM)
        try require(await daemon.exit(), .status(0), of: daemon)
        kills["tilld, by SIGTERM", default: 0] += 1
    }

    private func require(_ exit: ChildProcess.Exit, _ expected: ChildProcess.Exit, of process: ChildProcess) throws {
        if let unexpected = UnexpectedExit(process, exit, expected) {
            throw unexpected
        }
    }
}
