import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import TTRPC
import Testing

@Suite struct StartRefusalTests {
    @Test(arguments: Refusal.all)
    func theDaemonRefusesToStartWithAReason(_ refusal: Refusal) async throws {
        try await Site.with { site in
            let options = try await refusal.prepare(site)
            let before = try? site.log()
            let daemon = try site.startDaemon(options)
            #expect(await daemon.exit() == .status(refusal.status))
            let said = try site.log().dropFirst(before?.count ?? 0)
            #expect(said.contains(refusal.words(site)), "it printed: \(said)")
            await #expect(throws: (any Error).self) { try await TTRPCClient.connect(path: site.socket) }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can change the owner of a directory"))
    func theDaemonRefusesTheStateOfAnotherUser() async throws {
        try await Site.with { site in
            try site.makeState(mode: 0o700)
            #expect(unsafe chown(site.state, 65534, 65534) == 0)
            let daemon = try site.startDaemon()
            #expect(await daemon.exit() == .status(EX_CANTCREAT))
            #expect(try site.log().contains("belongs to user 65534"))
        }
    }
}
