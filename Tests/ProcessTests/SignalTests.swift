import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// The effects of signals on a real daemon, from its start.
@Suite struct SignalTests {
    @Test func aStopBeforeServingIsOrderly() async throws {
        try await Site.with { site in
            var early = 0
            for _ in 0..<5 {
                let daemon = try site.startDaemon()
                try await until(within: .seconds(20)) { catches(SIGTERM, daemon.processID) || !daemon.isRunning }
                early += FileManager.default.fileExists(atPath: site.socket) ? 0 : 1
                daemon.signal(SIGTERM)
                let exit = await daemon.exit()
                let log = try site.log()
                #expect(exit == .status(0), "\(log)")
                #expect(!FileManager.default.fileExists(atPath: site.socket))
            }
            #expect(early > 0, "it always served before the signal arrived")
            #expect(try await site.integrity() == ["ok"])
        }
    }

    @Test func aStopAsTheSocketAppearsIsOrderly() async throws {
        try await Site.with { site in
            for _ in 0..<20 {
                let daemon = try site.startDaemon()
                while daemon.isRunning, unsafe access(site.socket, F_OK) != 0 {
                    sched_yield()
                }
                daemon.signal(SIGTERM)
                let exit = await daemon.exit()
                let log = try site.log()
                #expect(exit == .status(0), "\(log)")
            }
        }
    }

    /// The kernel sends the first process of a namespace only signals for which the process has a handler
    /// (pid_namespaces(7)).
    @Test(.enabled(if: geteuid() == 0, "only root can make a name space of processes"))
    func theFirstProcessOfAContainerStopsInOrder() async throws {
        try await Site.with { site in
            let wrapper = try site.startDaemon(wrapper: ["/usr/bin/unshare", "--pid", "--fork"])
            let children = "/proc/\(wrapper.processID)/task/\(wrapper.processID)/children"
            var daemon: Int32?
            try await until(within: .seconds(20)) {
                daemon = (try? String(contentsOfFile: children, encoding: .utf8)).flatMap { Int32($0.dropLast()) }
                return daemon.map { catches(SIGTERM, $0) } ?? false || !wrapper.isRunning
            }
            kill(try #require(daemon), SIGTERM)
            #expect(await wrapper.exit() == .status(0))
        }
    }

    @Test(arguments: [SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGXFSZ, SIGPROF, SIGVTALRM, SIGPOLL, 34, 64])
    func otherSignalsDoNotEndTheDaemon(_ signal: Int32) async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            daemon.signal(signal)
            try await site.waitUntilServing()
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
        }
    }

    /// Writes wake event loops, so this daemon does not notice its clients either, and cannot report anything.
    @Test(
        .enabled("strace is not installed") { FileManager.default.isExecutableFile(atPath: Tracer.program) },
        arguments: [true, false]
    )
    func aDaemonWhoseWritesAllFailExits(_ isToldTo: Bool) async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            try await Tracer(calls: ["write"], fault: "error=EIO").attach(to: daemon, at: site, log: site.path("calls"))
            if isToldTo {
                daemon.signal(SIGTERM)
            }
            let exit = await daemon.exit(within: .seconds(60))
            #expect(exit == .status(EX_OSERR) || isToldTo && exit == .status(0), "\(exit)")
        }
    }

    /// Whether the process handles the signal, so that the signal does not end it.
    private func catches(_ signal: Int32, _ processID: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)) ?? ""
        let mask = status.firstMatch(of: /SigCgt:\s+([0-9a-f]+)/).flatMap { UInt64($0.1, radix: 16) } ?? 0
        return mask & 1 << UInt64(signal - 1) != 0
    }

    private func until(within limit: Duration, _ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + limit
        while !condition() {
            try #require(.now < deadline, "the condition did not become true")
            await Alarm.after(.milliseconds(1))
        }
    }
}
