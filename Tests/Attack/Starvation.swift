import ArgumentParser
import Foundation
import Glibc
import ProcessTesting

/// One user attacks a daemon with all allowed resources, while another user buys.
struct Starvation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Attack as one user while timing another's payments (root)."
    )

    private static let hostile: UInt32 = 65533
    private static let honest: UInt32 = 65534
    /// The connections of each attacking process. Three processes have all connections of a user.
    private static let connections = 21

    @Option(help: "Attack for this many seconds.")
    var seconds = 60

    @Option(help: "Fail if the 99th percentile of answers is above this.")
    var limitMilliseconds = 2000.0

    @Flag(help: "Time whole purchases, not only their answers.")
    var purchases = false

    @Option(help: "Run these attacks, each in its own process.")
    var attack: [Attack] = [.halves, .unread, .corpus]

    func run() async throws {
        guard geteuid() == 0 else { throw AttackFailure("only root can start programs as two other users") }
        try await Site.with(catalogue: AttackStore.catalogue()) { site in
            let users = "\(Self.hostile),\(Self.honest)"
            let daemon = try await site.startServingDaemon([
                "--allow-users", users, "--requests-per-second", "500", "--simulated-slow", AttackStore.slowProduct,
                "--simulated-delay", "\(AttackStore.slowSeconds)",
            ])
            let program = try copyProgram(to: site)
            let attackers = try attack.map { attack in
                let options = ["--attack", attack.rawValue, "--connections", "\(Self.connections)"]
                return try start("peer", options, as: Self.hostile, program, site, log: "\(attack.rawValue).log")
            }
            let client = try start(
                "honest",
                purchases ? ["--purchases"] : [],
                as: Self.honest,
                program,
                site,
                log: "honest.log"
            )
            guard await client.exit(within: .seconds(seconds + 120)) == .status(0) else {
                throw AttackFailure("the honest client failed: \(try site.text("honest.log"))")
            }
            for attacker in attackers { _ = await attacker.exit(within: .seconds(60)) }
            for attack in attack { print("attacked:", try site.text("\(attack.rawValue).log"), terminator: "") }
            guard daemon.isRunning else { throw AttackFailure("the daemon has ended") }
            let memory = try ProcessMemory(of: daemon.processID)
            print("the daemon had at most \(memory.peakMib) MiB resident")
            try check(try site.text("honest.log"))
        }
    }

    /// Copies the program to a path that other users can reach.
    private func copyProgram(to site: Site) throws -> String {
        let copy = site.path("attack")
        try FileManager.default.copyItem(atPath: "/proc/self/exe", toPath: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy)
        return copy
    }

    private func start(
        _ command: String,
        _ options: [String],
        as user: UInt32,
        _ program: String,
        _ site: Site,
        log: String
    ) throws -> ChildProcess {
        let arguments = [command, "--socket", site.socket, "--seconds", "\(seconds)"] + options
        return try site.start(
            command,
            "/usr/bin/setpriv",
            ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", program] + arguments,
            log: log
        )
    }

    private func check(_ log: String) throws {
        let words = log.split(separator: "\n").last { $0.hasPrefix("honest ") }?.split(separator: " ") ?? []
        let figures = words.dropFirst().compactMap { Double($0) }
        guard figures.count == 5, figures[0] > 0 else {
            throw AttackFailure("the honest client bought nothing: \(log)")
        }
        print("payments \(Int(figures[0])), refused \(Int(figures[1]))")
        print("answered in \(figures[2]) ms (median), \(figures[3]) ms (p99), \(figures[4]) ms (longest)")
        guard figures[1] == 0 else { throw AttackFailure("an honest request was refused: \(log)") }
        guard figures[3] <= limitMilliseconds else {
            throw AttackFailure("the 99th percentile is above \(limitMilliseconds) ms")
        }
    }
}

extension Site {
    fileprivate func text(_ log: String) throws -> String {
        try String(contentsOfFile: path(log), encoding: .utf8)
    }
}
