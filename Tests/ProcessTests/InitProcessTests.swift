import FaultRuns
import Foundation
import ProcessTesting
import Testing

/// The first steps of a new user: `till init`, and what it says to type.
@Suite(.timeLimit(.minutes(2))) struct InitProcessTests {
    @Test func theCommandsThatItPrintsBuyAProduct() async throws {
        try await Site.with { site in
            let environment = ["HOME": site.directory, "XDG_CONFIG_HOME": "", "XDG_RUNTIME_DIR": ""]
            let home = "export PATH=\"$(dirname \"$0\"):$PATH\"; cd \"$HOME\""
            let steps = """
                \(home); mkdir 'my shop'; cp store.storekit 'my shop/My products.storekit'
                till init --no-service --socket "$HOME/my shop/s" 'my shop/My products.storekit'
                """
            let setUp = try site.start(
                "init",
                "/bin/sh",
                ["-ec", steps, Binaries.command],
                log: "init",
                environment: environment
            )
            #expect(await setUp.exit() == .status(0))
            let said = try String(contentsOfFile: site.path("init"), encoding: .utf8)
            let typed = said.components(separatedBy: "\n").filter { $0.hasPrefix("  ") }
            let daemon = try #require(typed.first { $0.contains("tilld --config") }, "it printed: \(said)")
            _ = try site.start(
                "tilld",
                "/bin/sh",
                ["-ec", "\(home); exec\(daemon.dropFirst())", Binaries.command],
                log: "tilld.log",
                environment: environment
            )
            try await site.waitUntilServing(at: site.path("my shop/s"))
            let rest = typed.filter { $0 != daemon }.joined(separator: "\n")
            let shopping = try site.start(
                "shopping",
                "/bin/sh",
                ["-ec", "\(home)\n\(rest)", Binaries.command],
                log: "shopping",
                environment: environment
            )
            #expect(await shopping.exit() == .status(0))
            let bought = try String(contentsOfFile: site.path("shopping"), encoding: .utf8)
            #expect(bought.contains("purchased"), "it printed: \(bought)")
            #expect(bought.contains("finished"), "it printed: \(bought)")
        }
    }
}
