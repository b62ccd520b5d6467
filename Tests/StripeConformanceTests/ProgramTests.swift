import Foundation
import ProcessTesting
import StripeStandIn
import Testing

@testable import StripeConformance

/// The program, at a stand-in's address.
@Suite(.timeLimit(.minutes(5))) struct ProgramTests {
    private static let key = "sk_test_51TillConformanceSecret"

    /// What the program printed, and how it ended.
    private struct Outcome {
        var exit: ChildProcess.Exit
        var output: String
        var errors: String
        /// The API's requests at the stand-in.
        var requestCount: Int

        var lines: [Substring] { output.split(separator: "\n") }
    }

    /// Runs the program with a key file.
    ///
    /// - Parameters:
    ///   - key: The file's contents; nil for no file.
    ///   - whileRunning: Is given the program once the stand-in has had a request.
    private static func run(
        _ arguments: [String] = [],
        key: String? = key,
        mode: Int = 0o600,
        alter: (StripeControl) -> Void = { _ in },
        whileRunning: (ChildProcess) -> Void = { _ in }
    ) async throws -> Outcome {
        let server = try await StripeStandIn(
            .init { configuration in
                configuration.settings.keys = [Settings.Key(Self.key)]
                configuration.settings.refundDuration = 2
            }
        )
        alter(server.control)
        let folder = FileManager.default.temporaryDirectory.appending(path: "till-conformance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "key").path
        if let key {
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
            #expect(FileManager.default.createFile(atPath: file, contents: Data(key.utf8), attributes: attributes))
        }
        let (output, errors) = (folder.appending(path: "output").path, folder.appending(path: "errors").path)
        let address = arguments.contains("--address") ? [] : ["--address", server.address]
        let program = try ChildProcess(
            "conformance",
            Binaries.stripeConformance,
            ["--key-file", file] + address + arguments,
            log: output,
            errors: errors
        )
        while program.isRunning, server.control.requests().isEmpty {
            await Task.yield()
        }
        whileRunning(program)
        let exit = await program.exit(within: .seconds(120))
        await server.stop()
        return Outcome(
            exit: exit,
            output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try String(contentsOfFile: errors, encoding: .utf8),
            requestCount: server.control.requests().count
        )
    }

    @Test func nothingDiffersAtTheStandIn() async throws {
        let outcome = try await Self.run()
        #expect(outcome.exit == .status(0), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.lines.first?.hasPrefix("Account acct_") == true)
        #expect(outcome.lines.filter { $0.hasPrefix("ok ") }.count == Check.all.count)
        #expect(outcome.lines.filter { $0.hasPrefix("not covered: ") }.count == Check.notCovered.count)
        #expect(outcome.lines.last == "\(Check.all.count) checks: nothing differs from the stand-in.")
        #expect(outcome.errors.isEmpty)
        #expect(!outcome.output.contains("Secret"))
    }

    @Test func aDifferenceIsReportedAndEndsWithOne() async throws {
        let outcome = try await Self.run(
            ["--only", "key-replayed", "--only", "account", "--json"],
            alter: { $0.change { $0.keyLifetime = 0 } }
        )
        #expect(outcome.exit == .status(1))
        let results = outcome.lines.map { JSON(text: $0.utf8) ?? .null }
        #expect(results.map { $0["check"].string } == ["account", "key-replayed", nil])
        #expect(results[0]["result"] == "ok" && results[0]["differences"] == [])
        #expect(results[1]["result"] == "differs")
        let difference = try #require(results[1]["differences"].array.first)
        #expect(difference["expected"].string != nil && difference["got"].string != nil)
        #expect(results[2]["differing"] == 1 && results[2]["complete"] == true)
    }

    @Test func aSignalEndsTheProgramAfterItsSummary() async throws {
        for (signal, status) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
            let outcome = try await Self.run(
                alter: { $0.addFault(Fault(.hang(.before), path: "/v1/payment_intents")) },
                whileRunning: { $0.signal(signal) }
            )
            #expect(outcome.exit == .status(status))
            #expect(outcome.lines.last?.hasPrefix("Interrupted: ") == true, "\(outcome.output)\(outcome.errors)")
        }
    }

    struct Refusal: Sendable {
        var key: String?
        var mode = 0o600
        var arguments: [String] = []
        var status: Int32 = 78
        /// A part of the message.
        var message: String
    }

    static let refusals = [
        Refusal(key: "sk_live_51TillConformanceSecret", message: "has a live key, and nothing was sent"),
        Refusal(key: "rk_live_51TillConformanceSecret\n", message: "has a live key, and nothing was sent"),
        Refusal(key: key, mode: 0o644, message: "is open to other users; run: chmod 600"),
        Refusal(key: key, mode: 0o640, message: "is open to other users; run: chmod 600"),
        Refusal(key: nil, message: "There is no file"),
        Refusal(key: "", message: "is empty"),
        Refusal(key: "\n", message: "is empty"),
        Refusal(key: "pk_test_51TillConformanceSecret", message: "has no secret key of Stripe"),
        Refusal(key: "\(key)\n\(key)", message: "has no secret key of Stripe"),
        Refusal(key: String(repeating: "a", count: 300), message: "exceeds the limit"),
        Refusal(
            key: key,
            arguments: ["--address", "https://proxy.example.org"],
            status: 64,
            message: "Invalid address https://proxy.example.org"
        ),
        Refusal(key: key, arguments: ["--address", "http://10.0.0.1"], status: 64, message: "Invalid address"),
        Refusal(key: key, arguments: ["--only", "none"], status: 64, message: "There is no check none"),
        Refusal(key: key, arguments: ["--patience", "3601"], status: 64, message: "Invalid --patience"),
    ]

    @Test(arguments: refusals.indices)
    func isRefusedBeforeAnythingIsSent(index: Int) async throws {
        let refusal = Self.refusals[index]
        let outcome = try await Self.run(refusal.arguments, key: refusal.key, mode: refusal.mode)
        #expect(outcome.exit == .status(refusal.status))
        #expect(outcome.errors.contains(refusal.message), "\(outcome.errors)")
        #expect(outcome.requestCount == 0)
        #expect(!"\(outcome.output)\(outcome.errors)".contains("Secret"))
    }

    @Test func aKeyThatIsNotAcceptedIsRefused() async throws {
        let outcome = try await Self.run(key: "sk_test_51TillOtherSecret")
        #expect(outcome.exit == .status(78))
        #expect(outcome.errors.contains("Stripe does not accept the key"))
        #expect(!outcome.errors.contains("51Till"))
    }

    @Test func anAddressThatDoesNotAnswerIsReported() async throws {
        let outcome = try await Self.run(["--address", "http://127.0.0.1:1"])
        #expect(outcome.exit == .status(75))
        #expect(outcome.errors.hasPrefix("Error: Stripe's account is unknown"))
    }
}
