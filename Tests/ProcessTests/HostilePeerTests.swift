import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// A short attack on the real daemon. `make attack` and `make starvation` attack longer.
@Suite struct HostilePeerTests {
    @Test func memoryStaysBoundedUnderEveryAttack() async throws {
        try await expectSuccess(["memory", "--seconds", "6", "--connections", "10"])
    }

    @Test func memoryStaysBoundedIfPeersDoNotRead() async throws {
        try await expectSuccess(["memory", "--attack", "unread", "--seconds", "6", "--connections", "8"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can act as two other users"))
    func aUserCannotKeepAnotherFromBuying() async throws {
        try await expectSuccess(["starvation", "--seconds", "6"])
    }

    /// The daemon has no operator page yet. Until it has one, only its socket must be reachable.
    @Test func theDaemonListensOnlyOnItsSocket() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let own = try sockets(of: daemon.processID)
            #expect(!own.isEmpty, "no sockets were found")
            for table in ["tcp", "tcp6", "udp", "udp6", "raw", "raw6", "packet"] {
                let lines = try String(contentsOfFile: "/proc/\(daemon.processID)/net/\(table)", encoding: .utf8)
                let inodes = lines.split(whereSeparator: \.isWhitespace).filter { own.contains(String($0)) }
                #expect(inodes.isEmpty, "the daemon has a socket in \(table)")
            }
        }
    }

    private func expectSuccess(_ arguments: [String]) async throws {
        try await Site.with { site in
            let attack = try site.start("attack", Binaries.attack, arguments, log: "attack.log")
            let exit = await attack.exit(within: .seconds(300))
            let log = try String(contentsOfFile: site.path("attack.log"), encoding: .utf8)
            #expect(exit == .status(0), "\(log)")
        }
    }

    /// The inodes of a process's sockets.
    private func sockets(of processID: Int32) throws -> Set<String> {
        let directory = "/proc/\(processID)/fd"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        let targets = names.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)")
        }
        return Set(targets.filter { $0.hasPrefix("socket:[") }.map { String($0.dropFirst(8).dropLast()) })
    }
}
