import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient

/// `till backup` of a real daemon, and `tilld restore-backup`.
@Suite(.timeLimit(.minutes(5))) struct BackupTests {
    @Test func aBackupWithKeysIsRestoredWhole() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let queue = site.queue()
            let bought = try await queue.purchase(Payment(productID: TestStore.coins))
            let (exit, lines) = try await site.till(
                ["backup", site.backup, "--with-keys", "--json", "--reason", "Monday."]
            )
            #expect(exit == .status(0), "\(lines)")
            let result = try JSONDecoder().decode(Printed.self, from: Data((lines.first ?? "").utf8))
            let ledger = try await queue.status().ledgerID
            #expect(result.bytes == (try Self.status(site.backup).st_size))
            #expect(result.with_keys)
            #expect(result.ledger_id == ledger.uuidString.lowercased())
            #expect(try Self.status(site.backup).st_mode & 0o777 == 0o600)
            await queue.close()
            try await site.stop(daemon)

            let (restoreExit, restoreLines) = try await site.restore()
            #expect(restoreExit == .status(0), "\(restoreLines)")
            #expect(restoreLines.contains("receipts: 1 receipts read, no damage"), "\(restoreLines)")
            #expect(restoreLines.contains("provider: 1 charges read, no damage"), "\(restoreLines)")
            #expect(restoreLines.contains("audit: 1 entries read, no damage"), "\(restoreLines)")
            for name in ["root.pem", "intermediate.pem", "leaf.pem"] {
                let files = try [site.state, site.restored].map {
                    try Data(contentsOf: URL(filePath: "\($0)/receipts/\(name)"))
                }
                #expect(files[0] == files[1], "\(name)")
            }
            try Self.expectPrivate(site.restored)
            let next = try site.startDaemon(state: site.restored)
            try await site.waitUntilServing()
            let kept = site.queue()
            let transactions = try await kept.allTransactions.reduce(into: []) { $0.append($1) }
            #expect(transactions.map(\.id) == [bought.id])
            #expect(transactions.first?.receipt == bought.receipt)
            await kept.close()
            try await site.stop(next)
        }
    }

    @Test func receiptsOfBeforeAreVerifiedAfterARestoreWithoutKeys() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let queue = site.queue()
            _ = try await queue.purchase(Payment(productID: TestStore.coins))
            await queue.close()
            #expect(try await site.till(["backup", site.backup]).exit == .status(0))
            try await site.stop(daemon)
            #expect(try await site.restore().exit == .status(0))
            #expect(!FileManager.default.fileExists(atPath: "\(site.restored)/receipts"))
            // The next daemon has a new root, and the check accepts receipts of both.
            let second = try site.startDaemon(state: site.restored)
            try await site.waitUntilServing()
            let next = site.queue()
            _ = try await next.purchase(Payment(productID: TestStore.coins))
            await next.close()
            // A backup of the restored state brings the first root along.
            #expect(try await site.till(["backup", site.backup, "--force"]).exit == .status(0))
            try await site.stop(second)
            let roots = try [site.state, site.restored].map {
                try Data(contentsOf: URL(filePath: "\($0)/receipts/root.pem"))
            }
            #expect(roots[0] != roots[1])
            let again = site.path("again")
            for (exit, lines) in [try await site.examine("fsck", site.restored), try await site.restore(into: again)] {
                #expect(exit == .status(0), "\(lines)")
                #expect(lines.contains("receipts: 2 receipts read, no damage"), "\(lines)")
            }
        }
    }

    @Test func anExistingFileIsReplacedOnlyByForce() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            try Data("mine".utf8).write(to: URL(filePath: site.backup))
            let (exit, lines) = try await site.till(["backup", site.backup])
            #expect(exit == .status(EX_DATAERR))
            #expect(lines == ["till: \(site.backup) exists: name another file, or replace it with --force."])
            #expect(try Data(contentsOf: URL(filePath: site.backup)) == Data("mine".utf8))
            #expect(try await site.till(["backup", site.backup, "--force"]).exit == .status(0))
            #expect(
                try await site.result(of: "/usr/bin/tar", ["-tf", site.backup]).lines == [
                    "till-backup.json", "ledger.sqlite", "simulated-charges.jsonl", "root-certificates.pem",
                    "SHA256SUMS",
                ]
            )
            try await site.stop(daemon)
        }
    }

    @Test func theStandardOutputGetsABackupThatOtherToolsCheck() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            try await site.fill(payments: 400)
            let script =
                #"mkdir "$2" && "$0" backup - --socket "$1" | tar -x -C "$2" && cd "$2" && sha256sum -c SHA256SUMS"#
            let arguments = ["-euc", script, Binaries.command, site.socket, site.path("unpacked")]
            let (exit, lines) = try await site.result(of: "/bin/sh", arguments)
            #expect(exit == .status(0), "\(lines)")
            #expect(lines.count == 4 && lines.allSatisfy { $0.hasSuffix(": OK") }, "\(lines)")
            try await site.stop(daemon)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can act as another user"))
    func onlyOperatorsGetABackupAndOnlyTheDaemonsUserGetsKeys() async throws {
        let stranger = "65534"
        try await Site.with { site in
            _ = unsafe chmod(site.directory, 0o777)
            for (options, arguments, message) in [
                (
                    ["--allow-users", stranger], [],
                    "till: User \(stranger) is not an operator; see the option --operators."
                ),
                (["--operators", stranger], ["--with-keys"], "till: Only root and the daemon's own user get the keys"),
            ] {
                let daemon = try await site.startServingDaemon(options)
                let command = ["--reuid", stranger, "--regid", stranger, "--clear-groups", Binaries.command, "backup"]
                let (exit, lines) = try await site.result(
                    of: "/usr/bin/setpriv",
                    command + [site.path("theirs.tar"), "--socket", site.socket] + arguments
                )
                #expect(exit == .status(EX_NOPERM), "\(lines)")
                #expect(lines.first?.hasPrefix(message) == true, "\(lines)")
                #expect(!FileManager.default.fileExists(atPath: site.path("theirs.tar")))
                try await site.stop(daemon)
            }
        }
    }

    @Test func aSecondBackupAtTheSameTimeIsRefused() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            try await site.fill()
            let store = site.store()
            var refused: Site.Result?
            let summary = try await store.backUp(because: "The first.") { _ in
                if refused == nil {
                    refused = try await site.till(["backup", site.backup])
                }
            }
            #expect(summary.byteCount > 2 << 20)
            #expect(refused?.exit == .status(EX_DATAERR))
            #expect(refused?.lines.first?.contains("Another backup is being taken: wait until it has ended.") == true)
            #expect(!FileManager.default.fileExists(atPath: site.backup))
            // The first has ended.
            #expect(try await site.till(["backup", site.backup]).exit == .status(0))
            await store.close()
            try await site.stop(daemon)
        }
    }

    /// The result as `--json` prints it.
    private struct Printed: Decodable {
        var file: String
        var bytes: Int
        var ledger_id: String
        var date: String
        var with_keys: Bool
    }

    private static func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(unsafe lstat(path, &status) == 0)
        return status
    }

    /// Expects that only the owner can open anything in the directory.
    private static func expectPrivate(_ directory: String) throws {
        for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: directory)) {
            #expect(try status("\(directory)/\(name)").st_mode & 0o077 == 0, "\(name)")
        }
    }
}
