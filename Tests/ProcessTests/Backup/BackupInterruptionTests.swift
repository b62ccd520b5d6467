import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient

/// Restores that end in the middle, by a kill or because the disk is full, and backups for which there is no room.
@Suite(.timeLimit(.minutes(10))) struct BackupInterruptionTests {
    /// Kills of a restore, each at another moment; TILL_BACKUP_KILLS sets another number.
    private static let kills = ProcessInfo.processInfo.environment["TILL_BACKUP_KILLS"].flatMap(Int.init) ?? 12

    /// The time between the moments of two kills.
    private static let step = Duration.milliseconds(10)

    /// What a killed restore has left.
    private enum Remains: String {
        case nothing, refused, whole
    }

    /// Leaves a backup with keys, and stops the daemon.
    private static func makeBackup(_ site: Site) async throws {
        let daemon = try await site.startServingDaemon()
        try await site.fill(payments: 400)
        #expect(try await site.till(["backup", site.backup, "--with-keys"]).exit == .status(0))
        try await site.stop(daemon)
    }

    @Test func aKilledRestoreIsRefusedOrWhole() async throws {
        try await Site.with { site in
            try await Self.makeBackup(site)
            var found: [Remains: Int] = [:]
            for number in 0..<Self.kills {
                let state = site.path("killed-\(number)")
                let arguments = ["restore-backup", site.backup, "--state", state]
                let process = try site.start("restore", Binaries.daemon, arguments, log: "restore.log")
                // The first kill comes as soon as files are written, each other one some time later.
                while process.isRunning, !FileManager.default.fileExists(atPath: "\(state)/restoring") {
                    await Alarm.after(.milliseconds(1))
                }
                await Alarm.after(Self.step * number)
                await process.killNow()
                found[try await Self.remains(of: state, site), default: 0] += 1
                try? FileManager.default.removeItem(atPath: state)
            }
            #expect(found[.refused, default: 0] > 0, "no restore was killed in the middle: \(found)")
        }
    }

    private static func remains(of state: String, _ site: Site) async throws -> Remains {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []
        guard names.contains("restoring") || names.contains("ledger.sqlite") else {
            #expect(Set(names).isSubset(of: ["lock"]), "\(names)")
            return .nothing
        }
        let (exit, lines) = try await site.examine("check", state)
        guard names.contains("restoring") else {
            #expect(exit == .status(0), "\(lines)")
            return .whole
        }
        #expect(exit == .status(EX_CANTCREAT) && lines.first?.contains("was interrupted") == true, "\(lines)")
        return .refused
    }

    @Test func aRestoreWithoutRoomLeavesNothing() async throws {
        try await Site.with { site in
            try await Self.makeBackup(site)
            let arguments = [
                "--fsize=300000", Binaries.daemon, "restore-backup", site.backup, "--state", site.restored,
            ]
            let (exit, lines) = try await site.result(of: "/usr/bin/prlimit", arguments)
            #expect(exit == .status(EX_CANTCREAT), "\(lines)")
            #expect(lines.count == 1 && lines[0].contains("Cannot write \(site.restored)/restoring/"), "\(lines)")
            #expect(!FileManager.default.fileExists(atPath: site.restored))
        }
    }

    @Test func aBackupWithoutRoomLeavesNoFile() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            try await site.fill(payments: 400)
            let arguments = ["--fsize=300000", Binaries.command, "backup", site.backup, "--socket", site.socket]
            let (exit, lines) = try await site.result(of: "/usr/bin/prlimit", arguments)
            #expect(exit == .status(EX_IOERR), "\(lines)")
            #expect(lines.count == 1 && lines[0].contains("cannot be written"), "\(lines)")
            let left = try FileManager.default.contentsOfDirectory(atPath: site.directory).filter {
                $0.hasPrefix(".till-")
            }
            #expect(left.isEmpty && !FileManager.default.fileExists(atPath: site.backup))
            try await site.stop(daemon)
        }
    }
}
