import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import TTRPC
import Testing
import TillWire

/// A real daemon without enough descriptors.
@Suite struct DescriptorShortageTests {
    /// PERMISSION_DENIED would be final: the application would conclude that it may not use the store.
    @Test func aCallerThatCannotBeHeldForNowIsToldToTryAgain() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            var codes: Set<RPCStatusCode> = []
            for _ in 0..<20 {
                try await limit(daemon, toSpare: 1, at: site)
                codes.insert(try #require(await helloFailure(at: site)))
            }
            #expect(codes == [.unavailable])
            try await limit(daemon, to: 1024, at: site)
            #expect(await helloFailure(at: site) == nil)
        }
    }

    @Test func aDaemonWithTooFewDescriptorsForItsConnectionsDoesNotStart() async throws {
        try await Site.with { site in
            let needed = try await descriptorsNeeded(at: site)
            let daemon = try startDaemon(at: site, descriptors: needed - 1)
            #expect(await daemon.exit() == .status(EX_CANTCREAT))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can act as other users"))
    func withTheFewestDescriptorsRootIsServedBesideNineUsers() async throws {
        try await Site.with { site in
            let needed = try await descriptorsNeeded(at: site)
            let options = ["--allow-users", "all", "--content", site.path("content")]
            let daemon = try startDaemon(at: site, descriptors: needed, options)
            try await site.waitUntilServing()
            let crowds = try startCrowds(9, seconds: 8, at: site)
            var most = 0
            while crowds.contains(where: \.isRunning) {
                #expect(await helloFailure(at: site) == nil)
                most = max(most, try descriptors(of: daemon).count)
            }
            for crowd in crowds {
                #expect(await crowd.exit() == .status(0))
            }
            #expect(most > 400, "there was no crowd")
            #expect(most < needed)
            #expect(try !site.log().contains("Too many open files"))
        }
    }

    private func startCrowds(_ count: UInt32, seconds: Int, at site: Site) throws -> [ChildProcess] {
        let worker = site.path("worker")
        try FileManager.default.copyItem(atPath: Binaries.worker, toPath: worker)
        return try (0..<count).map { number in
            let command = try ProbeCaller.user(2001 + number).starting(
                [worker, "crowd", "--socket", site.socket, "--seconds", "\(seconds)"],
                at: site
            )
            return try site.start("crowd", command[0], Array(command.dropFirst()), log: "crowd.log")
        }
    }

    private func startDaemon(at site: Site, descriptors: Int, _ options: [String] = []) throws -> ChildProcess {
        try site.startDaemon(options, wrapper: ["/usr/bin/prlimit", "--nofile=\(descriptors):\(descriptors)"])
    }

    /// The number of descriptors that a daemon with too few asks for.
    private func descriptorsNeeded(at site: Site) async throws -> Int {
        let daemon = try startDaemon(at: site, descriptors: 200)
        #expect(await daemon.exit() == .status(EX_CANTCREAT))
        let said = try site.log().firstMatch(of: /may open 200 files and needs ([0-9]+)/)
        return try #require(said.flatMap { Int($0.1) })
    }

    /// Leaves the daemon this number of free descriptors.
    private func limit(_ daemon: ChildProcess, toSpare count: Int, at site: Site) async throws {
        let taken = try descriptors(of: daemon)
        let free = (0...).lazy.filter { !taken.contains($0) }
        try await limit(daemon, to: Array(free.prefix(count + 1))[count], at: site)
    }

    private func limit(_ daemon: ChildProcess, to count: Int, at site: Site) async throws {
        let arguments = ["--pid", "\(daemon.processID)", "--nofile=\(count):"]
        let process = try site.start("prlimit", "/usr/bin/prlimit", arguments, log: "programs.log")
        #expect(await process.exit() == .status(0))
    }

    private func descriptors(of process: ChildProcess) throws -> Set<Int> {
        Set(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processID)/fd").compactMap { Int($0) })
    }

    /// The error of a new connection's first call; nil if it is answered.
    private func helloFailure(at site: Site) async -> RPCStatusCode? {
        do throws(RPCError) {
            let client = try await TTRPCClient.connect(path: site.socket)
            defer { client.close() }
            let hello = HelloRequest(application: Site.application, client: "test/1")
            _ = try await client.unary(
                PaymentQueueMethod.service,
                PaymentQueueMethod.hello.rawValue,
                hello.wireBytes(),
                timeout: .seconds(10)
            )
            return nil
        } catch {
            return error.code
        }
    }
}
