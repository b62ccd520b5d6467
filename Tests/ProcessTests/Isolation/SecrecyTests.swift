import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import TTRPC
import Testing
import TillClient
import TillWire

/// Keys and the data that clients write into payments appear in no output of a daemon or client, even if the process
/// crashes.
///
/// `TILL_TRAPS` sets how often the daemon crashes.
@Suite struct SecrecyTests {
    private static let traps = ProcessInfo.processInfo.environment["TILL_TRAPS"].flatMap { Int($0) } ?? 8
    /// Asks Swift's runtime for crash reports, which contain memory.
    private static let environment = ["SWIFT_BACKTRACE": "enable=yes,color=no"]
    private static let signals = [SIGABRT, SIGILL, SIGSEGV, SIGTRAP, SIGBUS, SIGFPE]
    /// The text contains a line break, which would start a new line in a log.
    private static let canary = "canary-77aa01"
    private static let forged = "\(canary)\nforged-line \u{1B}[31m"

    @Test func noOutputContainsASecret() async throws {
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
            // This control proves that the search can find text.
            #expect(outputs.found([Data("Serving".utf8)]) == ["tilld.log"])
        }
    }

    /// The lines of the private keys' files, and the keys themselves as bytes.
    private static func keys(of site: Site) throws -> [Data] {
        var needles: [Data] = []
        for name in ["root", "intermediate", "leaf"] {
            let pem = try String(contentsOfFile: "\(site.state)/receipts/\(name).pem", encoding: .utf8)
            let key = try #require(pem.split(separator: "-----BEGIN PRIVATE KEY-----").last)
            let lines = key.split(separator: "\n").prefix { !$0.hasPrefix("-----") }
            needles += lines.map { Data($0.utf8) }
            let der = try #require(Data(base64Encoded: lines.joined()))
            // In PKCS #8, the 32 bytes of a P-256 scalar follow 36 other bytes (RFC 5915).
            needles.append(der.dropFirst(36).prefix(32))
        }
        return needles
    }

    /// Writes canaries into all data that a client sends, in calls that succeed and calls that fail; returns the
    /// receipt's signature.
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

    /// Sends requests that Till's own clients never make.
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

    /// The command's answers are for its user; its errors may be shown to anyone.
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
