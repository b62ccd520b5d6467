import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// System limits of a daemon's threads and memory: the daemon serves, or prints why it does not. Without its check,
/// libraries would end it by a signal and without a message.
@Suite struct ResourceLimitTests {
    /// Root may create any number of threads. Each daemon has a user of its own, because the limit counts all threads of a
    /// user.
    @Test(
        .enabled(if: geteuid() == 0, "only root can start a daemon as another user"),
        arguments: [3, 5, 8, 12, 14, 16, 17, 18, 20, 24, 40]
    )
    func withFewThreadsItServesOrSaysWhyNot(_ count: Int) async throws {
        try await expectServiceOrSentence(["--nproc=\(count):\(count)"], as: UInt32(2100 + count))
    }

    @Test(arguments: [400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300, 1400, 1500, 2000])
    func withLittleAddressSpaceItServesOrSaysWhyNot(_ mebibytes: Int) async throws {
        try await expectServiceOrSentence(["--as=\(mebibytes << 20):\(mebibytes << 20)"], as: UInt32(4000 + mebibytes))
    }

    private func expectServiceOrSentence(_ limits: [String], as user: UInt32) async throws {
        try await Site.with { site in
            let home = site.path("home")
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
            var wrapper = ["/usr/bin/prlimit"] + limits
            if geteuid() == 0 {
                try #require(unsafe chown(home, user, user) == 0)
                wrapper = try ProbeCaller.user(user).starting(wrapper, at: site)
            }
            let socket = "\(home)/till.sock"
            let options = ["--allow-users", "all", "--content", "\(home)/content"]
            let daemon = try site.startDaemon(options, state: "\(home)/state", socket: socket, wrapper: wrapper)
            if await serves(daemon, at: socket, of: site) {
                daemon.signal(SIGTERM)
                #expect(await daemon.exit() == .status(0))
            } else {
                #expect(await daemon.exit() == .status(EX_OSERR))
                let log = try site.log()
                #expect(log.contains("tilld: "), "\(log)")
            }
        }
    }

    private func serves(_ daemon: ChildProcess, at socket: String, of site: Site) async -> Bool {
        while daemon.isRunning {
            if (try? await site.waitUntilServing(at: socket, within: .zero)) != nil {
                return true
            }
            await Alarm.after(.milliseconds(20))
        }
        return false
    }
}
