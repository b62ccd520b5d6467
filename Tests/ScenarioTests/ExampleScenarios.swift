import ProcessTesting
import Testing

/// The example reports a fatal error, and exits.
@Suite(.timeLimit(.minutes(10))) struct ExampleScenarios {
    @Test(arguments: [
        (options: ["--buy", "\(Notes.coins):99"], says: "\(Notes.coins) cannot be bought: "),
        (["--grants", "/nonexistent/grants"], "The grants cannot be kept in /nonexistent/grants: "),
    ])
    func aFatalErrorIsReportedInOneSentence(options: [String], says: String) async throws {
        try await Shop.open { shop in
            let process = try shop.site.start(
                "till-example",
                Binaries.example,
                ["--socket", shop.site.socket, "--exit-when-idle"] + options,
                log: "example.out",
                errors: "example.err"
            )
            #expect(await process.exit() == .status(1))
            let example = RunningCommand(
                process: process,
                output: shop.site.path("example.out"),
                errors: shop.site.path("example.err")
            )
            let errors = try example.printed.errors
            #expect(errors.contains(says))
            #expect(!errors.contains("NSCocoaErrorDomain"), "it printed: \(errors)")
        }
    }
}
