import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import TTRPC
import Testing
import TillClient
import TillWire

/// Neither keys nor what clients write into payments gets into anything that a daemon or a client puts out, however it
/// ends.
///
/// `TILL_TRAPS` says how often the daemon is made to crash.
@Suite struct SecrecyTests {
    private static let traps = ProcessInfo.processInfo.environment["TILL_TRAPS"].flatMap { Int($0) } ?? 8
    /// Asks Swift's runtime for reports of crashes, which have memory in them.
    private static let environment = ["SWIFT_BACKTRACE": "enable=yes,color=no"]
    private static let signals = [SIGABRT, SIGILL, SIGSEGV, SIGTRAP, SIGBUS, SIGFPE]
    /// With what would make a line of its own in a log.
    private static let canary = "canary-77aa01"
    private static let forged = "\(canary)\nforged-line \u{1B}[31m"

    @Test func noOutputShowsWhatIsSecret() async throws {
        try await Site.with { site in
            var needles = [Data(Self.canary.utf8), Data("forged-line".utf8)]
            var outputs = Outputs(site)
            for trap in 0..<Self.traps {
                let daemon = try await site.startServingDaemon(
                    ["--log-level", "trace"],
                    environment: Self.environment
                )
                if trap == 0 {
                    needles += try Self.keys(of: site)
                }
                needles += try await Self.use(site)
                try await Self.useCommand(site)
                outputs.note(process: daemon.processID)
                daemon.signal(Self.signals[trap % Self.signals.count])
                #expect(await daemon.exit() != .status(0))
            }
            try outputs.noteFiles()
            print(
                "Searched \(outputs.count) outputs, \(outputs.bytes) bytes, of \(Self.traps) crashes for \(needles.count) secrets."
            )
            #expect(needles.count > Self.traps + 5)
            #expect(outputs.count > 3 * Self.traps)
            #expect(outputs.found(needles) == [])
            // So that a search which finds nothing ever would not pass.
            #expect(outputs.found([Data("Serving".utf8)]) == ["tilld.log"])
        }
    }

    /// The lines of the private keys, and the number itself as bytes.
    private static func keys(of site: Site) throws -> [Data] {
        var needles: [Data] = []
        for name in ["root", "intermediate", "leaf"] {
            let pem = try String(contentsOfFile: "\(site.state)/receipts/\(name).pem", encoding: .utf8)
            let key = try #require(pem.split(separator: "-----BEGIN PRIVATE KEY-----").last)
            let lines = key.split(separator: "\n").prefix { !$0.hasPrefix("-----") }
            needles += lines.map { Data($0.utf8) }
            let der = try #require(Data(base64Encoded: lines.joined()))
            // The scalar of P-256 in PKCS #8 comes after 36 bytes, and has 32 (RFC 5915).
            needles.append(der.dropFirst(36).prefix(32))
        }
        return needles
    }

    /// Writes canaries into everything that a client gives, with and without success; returns the receipt's signature.
    private static func use(_ site: Site) async throws -> [Data] {
        let queue = site.queue()
        let data = Array(forged.utf8)
        let payment = Payment(productID: TestStore.coins, applicationUsername: canary)
        let bought = try await queue.purchase(payment)
        for product in [TestStore.declined[0], TestStore.pro, "\(canary)\n", "org.example.\(canary)"] {
            let payment = Payment(productID: product, applicationUsername: forged, requestData: data)
            _ = try? await queue.purchase(payment)
        }
        _ = try? await queue.restoreCompletedTransactions(applicationUsername: forged)
        await queue.close()
        try await useWire(site)
        let receipt = try #require(bought.receipt)
        return [Data((receipt.split(separator: ".").last ?? "").utf8)]
    }

    /// Requests that no client of ours makes.
    private static func useWire(_ site: Site) async throws {
        let client = try await TTRPCClient.connect(path: site.socket)
        let hello = PaymentQueueMethod.hello.rawValue
        for request in [
            HelloRequest(application: forged, client: forged),
            HelloRequest(application: Site.application, capabilities: [forged], client: forged),
        ] {
            _ = try? await client.unary(PaymentQueueMethod.service, hello, request.wireBytes())
        }
        let settings = ChangeSettingsRequest(changes: [SettingChange(name: forged, value: forged)], reason: canary)
        _ = try? await client.unary(
            OperatorMethod.service,
            OperatorMethod.changeSettings.rawValue,
            settings.wireBytes()
        )
        _ = try? await client.unary(HealthMethod.service, "Check", HealthCheckRequest(service: forged).wireBytes())
        for name in [forged, "Check"] {
            _ = try? await client.unary(forged, name, Array(forged.utf8), metadata: ["call-id": canary])
        }
        _ = try? await client.unary(PaymentQueueMethod.service, hello, Array(forged.utf8))
        client.close()
    }

    /// The command's own answers are its user's; its errors are for anybody.
    private static func useCommand(_ site: Site) async throws {
        for arguments in [
            ["buy", "org.example.unknown", "--username", canary], ["finish", UUID().uuidString],
            ["buy", TestStore.declined[0], "--username", canary],
        ] {
            let command = try site.start(
                "till",
                Binaries.command,
                arguments + ["--socket", site.socket, "--application", Site.application],
                log: "till.out.private",
                errors: "till.errors.log"
            )
            _ = await command.exit()
        }
    }
}

/// What processes put out: files of the site, and what the system shows of them.
private struct Outputs {
    private let site: Site
    private var contents: [(name: String, data: Data)] = []

    init(_ site: Site) {
        self.site = site
    }

    var count: Int { contents.count }
    var bytes: Int { contents.reduce(0) { $0 + $1.data.count } }

    mutating func note(process: Int32) {
        for name in ["environ", "cmdline", "comm", "status"] {
            // Others than root see nothing of a process that may not be dumped.
            let data = FileManager.default.contents(atPath: "/proc/\(process)/\(name)") ?? Data()
            contents.append(("\(process)/\(name)", data))
        }
    }

    /// Logs, and core files wherever the system leaves them.
    mutating func noteFiles() throws {
        let directories = [site.directory, FileManager.default.currentDirectoryPath, site.state]
        for directory in directories {
            for name in try FileManager.default.contentsOfDirectory(atPath: directory)
            where name.hasSuffix(".log") || name == "core" || name.hasPrefix("core.") {
                if let data = FileManager.default.contents(atPath: "\(directory)/\(name)") {
                    contents.append((name, data))
                }
            }
        }
    }

    func found(_ needles: [Data]) -> [String] {
        contents.filter { content in needles.contains { content.data.firstRange(of: $0) != nil } }.map(\.name)
    }
}
