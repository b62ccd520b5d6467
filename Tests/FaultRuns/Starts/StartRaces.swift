import Glibc
package import ProcessTesting
package import TestValues

/// Repeatedly starts several daemons at once on one state directory.
package struct StartRaces {
    /// The time limit for all daemons except one to exit.
    private static let limit = Duration.seconds(60)

    private let site: Site
    private var random: SplitMix64
    package private(set) var findings = Findings()
    package private(set) var races = 0
    /// The number of races, by the number of daemons and sockets.
    package private(set) var daemons: [String: Int] = [:]
    /// The number of races, by how the winner ended.
    package private(set) var starts: [String: Int] = [:]

    package init(site: Site, random: SplitMix64) {
        self.site = site
        self.random = random
    }

    /// Starts two to eight daemons at once, checks that exactly one serves, and stops or kills it.
    package mutating func race() async throws {
        let count = Int.random(in: 2...8, using: &random)
        let onOneSocket = Bool.random(using: &random)
        let sockets = (0..<count).map { onOneSocket ? site.socket : site.path("\($0).sock") }
        let daemons = try sockets.map { try site.startDaemon(CrewPlan.settling, socket: $0) }
        let deadline = ContinuousClock.now + Self.limit
        while daemons.count(where: \.isRunning) > 1, .now < deadline {
            await Alarm.after(.milliseconds(2))
        }
        let serving = daemons.indices.filter { daemons[$0].isRunning }
        races += 1
        self.daemons["\(count) daemons, \(onOneSocket ? "one socket" : "a socket each")", default: 0] += 1
        for daemon in daemons where !daemon.isRunning {
            let exit = await daemon.exit()
            if exit != .status(EX_CANTCREAT) {
                findings.fail("race \(races): a late daemon ended with \(exit)")
            }
        }
        guard serving.count == 1, let winner = serving.first else {
            findings.fail("race \(races): \(serving.count) of \(count) daemons run on one state directory")
            for daemon in daemons {
                await daemon.killNow()
            }
            return
        }
        try await end(daemons[winner], at: sockets[winner])
    }

    /// Calls the winner, and stops or kills it. After a kill its socket remains.
    private mutating func end(_ daemon: ChildProcess, at socket: String) async throws {
        try await site.waitUntilServing(at: socket)
        let isKilled = Bool.random(using: &random)
        daemon.signal(isKilled ? SIGKILL : SIGTERM)
        let exit = await daemon.exit()
        if exit != (isKilled ? .signal(SIGKILL) : .status(0)) {
            findings.fail("race \(races): the daemon that served ended with \(exit)")
        }
        starts[isKilled ? "killed" : "stopped", default: 0] += 1
    }
}
