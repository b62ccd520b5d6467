import Glibc
import ProcessTesting

extension SoakPart {
    private static let pauseMilliseconds = 200...4000
    /// The maximum time from an injected error to the end of the daemon, on a busy machine.
    private static let stopLimit = Duration.seconds(20)
    /// The maximum offset of the clock from the machine's clock, in seconds. If the clock is set back by an hour or
    /// more, charges with an unknown outcome are given up.
    private static let jumpSeconds = 1500

    mutating func cause(_ fault: SoakFault) async throws {
        switch fault {
        case .killWorker: try await killWorker()
        case .killDaemon: try await killDaemon()
        case .killBoth: try await killBoth()
        case .restartDaemon: try await restartDaemon()
        case .pauseWorker: await pause(crew.workers[anyWorker()])
        case .pauseDaemon: await pause(crew.daemon)
        case .hostilePeer: await visitByHostilePeer()
        case .clockJump: try jump()
        case .fullDisk: try await fillDisk()
        case .writeError: try await failFlush()
        }
    }

    private mutating func anyWorker() -> Int {
        Int.random(in: crew.workers.indices, using: &random)
    }

    private mutating func anyPause() -> Duration {
        .milliseconds(Int.random(in: Self.pauseMilliseconds, using: &random))
    }

    private mutating func killWorker() async throws {
        let number = anyWorker()
        try await crew.kill(crew.workers[number])
        try crew.startWorker(number)
    }

    private mutating func killDaemon() async throws {
        try await crew.kill(crew.daemon)
        try crew.startDaemon()
    }

    private mutating func killBoth() async throws {
        let number = anyWorker()
        crew.workers[number].signal(SIGKILL)
        try await crew.kill(crew.daemon)
        try await crew.kill(crew.workers[number])
        try crew.startDaemon()
        try crew.startWorker(number)
    }

    private mutating func restartDaemon() async throws {
        try await crew.stopDaemon()
        try crew.startDaemon()
    }

    private mutating func pause(_ process: ChildProcess) async {
        process.signal(SIGSTOP)
        await Alarm.after(anyPause())
        process.signal(SIGCONT)
    }

    private mutating func visitByHostilePeer() async {
        let peer = HostilePeer.allCases.randomElement(using: &random) ?? .garbage
        await peer.visit(site, for: anyPause(), &random)
    }

    private mutating func jump() throws {
        try clock.set(offset: .seconds(Int.random(in: -Self.jumpSeconds...Self.jumpSeconds, using: &random)))
    }

    private mutating func fillDisk() async throws {
        try await site.waitUntilServing()
        try await disk?.fill()
        try await awaitStop("full disk")
        try await disk?.clear()
        try crew.startDaemon()
    }

    private mutating func failFlush() async throws {
        try await site.waitUntilServing()
        let tracer = try await Tracer(calls: ["fdatasync"], fault: "error=EIO:when=1+")
            .attach(to: crew.daemon, at: site, log: "/dev/null")
        try await awaitStop("failed flush")
        _ = await tracer.exit()
        try crew.startDaemon()
    }

    private mutating func awaitStop(_ end: String) async throws {
        let start = ContinuousClock.now
        try await crew.awaitDaemon(.status(EX_IOERR), within: Self.stopLimit, as: end)
        report.slowestStop = max(report.slowestStop, .now - start)
    }
}
