import Foundation
import Glibc
import ProcessTesting
import TillEngine
import TillInvariants
import TillProviders

/// Runs one daemon with one application while a system call fails, and then another daemon without faults.
struct IORun {
    /// The result of a run.
    struct Report: Sendable {
        var outcome: IOOutcome
        /// The time from the first failure to the end of a daemon that ended by itself.
        var stop: Duration?
        var findings = Findings()
    }

    static let application = "org.example.alpha"
    /// The maximum time of the application while a call fails. It includes the start, and waiting for a daemon that
    /// does not answer.
    private static let workLimit = Duration.seconds(10)
    /// The maximum time of the application without faults.
    private static let countLimit = Duration.seconds(60)
    private static let stopLimit = Duration.seconds(45)
    private static let settlingLimit = Duration.seconds(100)
    private static let historyName = "worker.jsonl"
    private static let logName = "calls.log"
    /// The call with which glibc creates a thread.
    private static let threadCall = "clone3"
    private static let logLooks = 200

    let site: Site
    let scenario: IOScenario
    let seed: UInt64

    static func startWorker(at site: Site, seed: UInt64, _ options: [String]) throws -> ChildProcess {
        try site.start(
            "worker",
            Binaries.worker,
            [
                "--socket", site.socket, "--application", application, "--history", site.path(historyName), "--seed",
                String(seed),
            ] + options,
            log: "worker.log"
        )
    }

    /// Copies the files that another site has.
    func take(_ template: Site) throws {
        for name in ["state", Self.historyName, "store.content.json", "content.bin"]
        where FileManager.default.fileExists(atPath: template.path(name)) {
            try FileManager.default.copyItem(atPath: template.path(name), toPath: site.path(name))
        }
    }

    /// Counts the calls of each kind in a run without faults.
    func count(whileServing isServing: Bool) async throws -> [String: Int] {
        let calls = (IOFault.kinds.map(\.call) + [Self.threadCall]).filter { call in
            !IOFault.preloaded.contains(call) && scenario.isTracedWhileServing(call) == isServing
        }
        guard !calls.isEmpty else {
            return [:]
        }
        let tracer = Tracer(calls: calls)
        let log = site.path(Self.logName)
        let daemon: ChildProcess
        if isServing {
            daemon = try await startServing(tracer)
        } else {
            daemon = try site.startDaemon(CrewPlan.settling, wrapper: tracer.command(log: log))
        }
        let work = try await work(with: daemon, within: Self.countLimit)
        guard work.exit == .status(0) else {
            throw HarnessFailure("the \(scenario.rawValue) scenario ended with \(work.exit) although no call failed")
        }
        await work.worker.killNow()
        let made = try CallLog(path: log)
        var counts = made.mostOfOneThread
        if !isServing {
            counts[IOFault.fileWrites] = (counts["pwrite64"] ?? 0) + (counts["write"] ?? 0)
            counts[IOFault.threads] = made.count(of: Self.threadCall)
        }
        return counts
    }

    func run(_ fault: IOFault, preloading library: String) async throws -> Report {
        let daemon = try await start(fault, library)
        let work = try await work(with: daemon, within: Self.workLimit)
        let log = fault.injection == nil ? nil : try await readLog()
        let isTouched = log.map { $0.firstInjection != nil } ?? FileManager.default.fileExists(atPath: touchedPath)
        let outcome = IOOutcome(
            work.exit,
            isTouched: isTouched,
            wasKilled: work.wasKilled,
            says: try site.log().contains("tilld: ")
        )
        var report = Report(outcome: outcome)
        if case .stopped = outcome, let start = log?.firstInjection, let end = log?.end {
            report.stop = .milliseconds(Int((end - start) * 1000))
        }
        let paths = log?.injectedPaths ?? touchedPaths
        let files = Set(paths.map { URL(filePath: $0).lastPathComponent })
        let isOfDirectory = !paths.isEmpty && paths.allSatisfy(isDirectory)
        let isOfThreads = log?.hasInjectedLookAtThread ?? false
        if let objection = outcome.objection(
            to: fault,
            isOfDirectory: isOfDirectory,
            files: files,
            isOfThreads: isOfThreads
        ) {
            let files = Set(paths).sorted().map { " of \($0)" }.joined()
            report.findings.fail("\(scenario.rawValue), \(fault)\(files): \(objection)")
        }
        try await settle(work.worker, fault, &report.findings)
        return report
    }
}

extension IORun {
    private var touchedPath: String { site.path("failed-call") }

    /// The files whose calls failed by the preloaded library.
    private var touchedPaths: [String] {
        let text = try? String(contentsOfFile: touchedPath, encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    private func start(_ fault: IOFault, _ library: String) async throws -> ChildProcess {
        if let injection = fault.injection {
            let tracer = Tracer(calls: [fault.call], fault: injection)
            guard !scenario.isTracedWhileServing(fault.call) else {
                return try await startServing(tracer)
            }
            let files = ["write", "openat", "pwrite64"].contains(fault.call) ? paths : []
            let wrapper = tracer.command(log: site.path(Self.logName), paths: files)
            return try site.startDaemon(CrewPlan.settling, wrapper: wrapper)
        }
        var environment = [
            "LD_PRELOAD": library, "FAILING_AT": "\(fault.number)", "FAILING_ERROR": "\(fault.errorNumber)",
            "FAILING_MARK": touchedPath,
        ]
        environment["FAILING_UNDER"] = fault.call == IOFault.fileWrites ? site.state : nil
        environment["FAILING_STICKY"] = fault.isSticky ? "1" : nil
        return try site.startDaemon(CrewPlan.settling, environment: environment)
    }

    private func isDirectory(_ path: String) -> Bool {
        (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }

    /// Reads strace's log after strace has ended, which is after the daemon.
    private func readLog() async throws -> CallLog {
        let path = site.path(Self.logName)
        var log = try CallLog(path: path)
        for _ in 0..<Self.logLooks where log.end == nil {
            await Alarm.after(.milliseconds(5))
            log = try CallLog(path: path)
        }
        return log
    }

    /// Starts a daemon, and attaches strace once the daemon serves.
    private func startServing(_ tracer: Tracer) async throws -> ChildProcess {
        let daemon = try await site.startServingDaemon(CrewPlan.settling)
        try await tracer.attach(to: daemon, at: site, log: site.path(Self.logName))
        return daemon
    }

    /// The daemon's own files, so that calls for logging and the event loop do not fail. The names of downloads vary,
    /// so the preloaded library makes their writes fail.
    private var paths: [String] {
        let ledger = ["", "-wal", "-shm", ".new", ".new-journal"].map { site.ledger + $0 }
        return ledger + [site.state, "\(site.state)/\(SimulatedRecord.fileName)"]
    }

    /// Has the application work with a daemon until either ends, and stops the daemon.
    private func work(with daemon: ChildProcess, within limit: Duration) async throws -> (
        worker: ChildProcess, exit: ChildProcess.Exit, wasKilled: Bool
    ) {
        let worker = try Self.startWorker(at: site, seed: seed, scenario.workerOptions(at: site))
        let deadline = ContinuousClock.now + limit
        while daemon.isRunning, worker.isRunning, .now < deadline {
            await Alarm.after(.milliseconds(4))
        }
        if daemon.isRunning {
            daemon.signal(SIGTERM)
        }
        let killed = ContinuousClock.now + Self.stopLimit
        let exit = await daemon.exit(within: Self.stopLimit)
        return (worker, exit, exit == .signal(SIGKILL) && .now >= killed)
    }

    /// Lets a daemon without faults settle everything.
    private func settle(_ worker: ChildProcess, _ fault: IOFault, _ findings: inout Findings) async throws {
        let place = "\(scenario.rawValue), \(fault)"
        let daemon = try site.startDaemon(CrewPlan.settling)
        if let unsettled = UnexpectedExit(worker, await worker.exit(within: Self.settlingLimit), .status(0)) {
            findings.fail("\(place): \(unsettled)")
        }
        if daemon.isRunning {
            try await site.waitUntilServing()
            daemon.signal(SIGTERM)
        }
        if let unexpected = UnexpectedExit(daemon, await daemon.exit(), .status(0)) {
            return findings.fail("\(place): after it, \(unexpected)")
        }
        findings.add(try await verdict(), of: place)
        let integrity = try await site.integrity()
        if integrity != ["ok"] {
            findings.fail("\(place): \(integrity)")
        }
    }

    private func verdict() async throws -> Verdict {
        let data = FileManager.default.contents(atPath: site.path(Self.historyName)) ?? Data()
        let queue = QueueName(application: Self.application, account: Site.account)
        let history = History(name: "worker", queue: queue, entries: try History.entries(of: data))
        let books = try await site.books([Self.application], histories: [history], hosted: scenario.hosted)
        return Verdict(histories: [history], books: books)
    }
}
