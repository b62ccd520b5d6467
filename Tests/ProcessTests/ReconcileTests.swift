import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// The output of `tilld` apart from its log.
@Suite struct ReconcileTests {
    /// The options are made from the table of keys, not declared one by one.
    @Test func theHelpHasEveryOptionOfTheManualPage() async throws {
        let manual = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/tilld/Manual/tilld.8")
        let options = try String(contentsOf: manual, encoding: .utf8).matches(of: /(?m)^\.It Fl (-[a-z-]+)/).map {
            "-\($0.output.1)"
        }
        #expect(options.count > 30)
        try await Site.with { site in
            let process = try site.start("help", Binaries.daemon, ["help", "serve"], log: "output")
            #expect(await process.exit() == .status(0))
            let help = try String(contentsOfFile: site.path("output"), encoding: .utf8)
            let shown = Set(help.matches(of: /(?m)^  (?:-h, )?(--[a-z-]+)/).map { String($0.output.1) })
            #expect(shown.subtracting(["--help"]) == Set(options))
        }
    }

    @Test(arguments: [["reconcile"], ["reconcile", "--json"], ["--help"], ["--version"], ["help", "serve"]])
    func aFailingOutputIsAnError(arguments: [String]) async throws {
        try await Site.with { site in
            try await site.makeLedger()
            try FileManager.default.createSymbolicLink(atPath: site.path("full"), withDestinationPath: "/dev/full")
            let state = arguments.first == "reconcile" ? ["--state", site.state] : []
            let process = try site.start("tilld", Binaries.daemon, arguments + state, log: "full", errors: "errors")
            #expect(await process.exit() == .status(EX_IOERR))
            let errors = try String(contentsOfFile: site.path("errors"), encoding: .utf8)
            #expect(errors == "tilld: The output cannot be written: No space left on device.\n")
        }
    }

    @Test func aClosedOutputIsAnErrorAndNoOtherFileIsWritten() async throws {
        try await Site.with { site in
            try await site.makeLedger()
            let process = try site.start(
                "reconcile",
                "/bin/sh",
                ["-c", #"exec "$@" >&-"#, "sh", Binaries.daemon, "reconcile", "--state", site.state],
                log: "output",
                errors: "errors"
            )
            #expect(await process.exit() == .status(EX_IOERR))
            let errors = try String(contentsOfFile: site.path("errors"), encoding: .utf8)
            #expect(errors == "tilld: The output cannot be written: Bad file descriptor.\n")
        }
    }

    @Test func aMissingStateDirectoryIsNotCreated() async throws {
        try await Site.with { site in
            let process = try site.start(
                "reconcile",
                Binaries.daemon,
                ["reconcile", "--state", site.path("typo")],
                log: "output"
            )
            #expect(await process.exit() == .status(EX_CANTCREAT))
            let output = try String(contentsOfFile: site.path("output"), encoding: .utf8)
            #expect(
                output == "tilld: There is no ledger in \(site.path("typo")): name the state directory of a daemon.\n"
            )
            #expect(!FileManager.default.fileExists(atPath: site.path("typo")))
        }
    }
}
