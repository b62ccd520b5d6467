import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// Arguments are bytes; two arguments that are not text must not become the same text.
@Suite struct ArgumentBytesTests {
    @Test(arguments: [(Binaries.command, "buy coins --username"), (Binaries.daemon, "--state")])
    func bytesThatAreNotTextAreRefused(program: String, option: String) async throws {
        try await Site.with { site in
            let script = #"exec "$0" $1 "$(printf 'a\377')""#
            let process = try site.start("bytes", "/bin/sh", ["-c", script, program, option], log: "output")
            #expect(await process.exit() == .status(EX_USAGE))
            let output = try String(contentsOfFile: site.path("output"), encoding: .utf8)
            #expect(output.contains("An argument is not valid UTF-8."), "it said: \(output)")
        }
    }
}
