import Foundation
import Glibc
import ProcessTesting
import TillEngine
import TillInvariants
import TillProviders

/// One daemon with one application, one of whose system calls fails; then another daemon, to which none fails.
struct IORun {
    /// What was seen of it.
    struct Report: Sendable {
        var outcome: IOOutcome
        /// From the first failure to the end of the daemon that ended by itself.
        var stop: Duration?
        var findings = Findings()
    }

    static let application = "org.example.alpha"
    /// How long the application may take while a call fails, the start included, or may wait for a daemon that does not
    /// answer.
    private static let workLimit = Duration.seconds(10)
    /// How long it may take while none does.
    private static let countLimit = Duration.seconds(60)
    private static let stopLimit = Duration.seconds(45)
    private static let restLimit = Duration.seconds(100)
    private static let historyName = "worker.jsonl"
    private static let logName = "calls.log"
    /// By which glibc makes a thread.
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

    /// Copies what another site was left with.
    func take(_ template: Site) throws {
        for name in ["state", Self.historyName, "store.content.json", "content.bin"]
        where FileManager.default.fileExists(atPath: template.path(name)) {
            try FileManager.default.copyItem(atPath: template.path(name), toPath: site.path(name))
        }
    }

    /// How many calls of each kind there are when none fails.
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
            daemon = try site.startDaemon(CrewPlan.resting, wrapper: tracer.command(log: log))
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
        try await rest(work.worker, fault, &report.findings)
        return report
    }
}

extension IORun {
    private var touchedPath: String { site.path("failed-call") }

    /// The files whose calls the preloaded library had fail.
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
            return try site.startDaemon(CrewPlan.resting, wrapper: wrapper)
        }
        var environment = [
            "LD_PRELOAD": library, "FAILING_AT": "\(fault.number)", "FAILING_ERROR": "\(fault.errorNumber)",
            "FAILING_MARK": touchedPath,
        ]
        environment["FAILING_UNDER"] = fault.call == IOFault.fileWrites ? site.state : nil
        environment["FAILING_STICKY"] = fault.isSticky ? "1" : nil
        return try site.startDaemon(CrewPlan.resting, environment: environment)
    }

    private func isDirectory(_ path: String) -> Bool {
        (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }

    /// What strace wrote, once it has ended after the daemon.
    private func readLog() async throws -> CallLog {
        let path = site.path(Self.logName)
        var log = try CallLog(path: path)
        for _ in 0..<Self.logLooks where log.end == nil {
            await Alarm.after(.milliseconds(5))
            log = try CallLog(path: path)
        }
        return log
    }

    /// Starts a daemon that is taken hold of once it serves.
    private func startServing(_ tracer: Tracer) async throws -> ChildProcess {
        let daemon = try await site.startServingDaemon(CrewPlan.resting)
        try await tracer.attach(to: daemon, at: site, log: site.path(Self.logName))
        return daemon
    }

    /// The daemon's own files, so that its logging and its loop are left alone. Those of downloads have other names each
    /// time: the preloaded library has their writes fail.
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

    /// A daemon without faults brings everything to its end.
    private func rest(_ worker: ChildProcess, _ fault: IOFault, _ findings: inout Findings) async throws {
        let place = "\(scenario.rawValue), \(fault)"
        let daemon = try site.startDaemon(CrewPlan.resting)
        if let restless = UnexpectedExit(worker, await worker.exit(within: Self.restLimit), .status(0)) {
            findings.fail("\(place): \(restless)")
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
