import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// The writes of a start into an empty log before the daemon's own commits.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled("strace is not installed") { FileManager.default.isExecutableFile(atPath: Tracer.program) }
)
struct FirstCommitTests {
    private static let frame = 24 + 4096

    /// After a loss of power, two commits that were not flushed would look like damage.
    @Test func theLogIsFlushedBeforeItsSecondCommit() async throws {
        try await Site.with { site in
            let tracer = Tracer(calls: ["pwrite64", "write", "fdatasync", "fsync"])
            let log = site.path("calls.log")
            let daemon = try site.startDaemon(wrapper: tracer.command(log: log, paths: [site.ledger + "-wal"]))
            try await site.waitUntilServing()
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
            let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
            // The daemon's own connection writes whole frames at once; the library's first commit is not written so.
            let own = try #require(calls.firstIndex { Self.writtenBytes($0).map { $0 % Self.frame == 0 } ?? false })
            #expect(calls[..<own].contains { Self.writtenBytes($0) == 24 }, "the library commits nothing of its own")
            #expect(own > 0 && calls[own - 1].contains("sync("), "\(calls[..<own].suffix(3))")
        }
    }

    /// The number of bytes that a call writes; nil for a flush.
    private static func writtenBytes(_ call: String) -> Int? {
        call.firstMatch(of: /write(?:64)?\([^,]*, ""\.*, (\d+)/).flatMap { Int($0.output.1) }
    }
}
