import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// Has a daemon remove what `--retention` lets it remove.
@Suite(.timeLimit(.minutes(5))) struct RetentionProcessTests {
    private static let removed = "Its receipt and its history were removed"

    @Test func aFinishedConsumableLosesItsReceiptAndStaysInTheBooks() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon(["--retention", "30"])
            let (coins, pro) = (UUID().uuidString, UUID().uuidString)
            for (payment, product) in [(coins, TestStore.coins), (pro, TestStore.pro)] {
                _ = try await Self.output(of: ["buy", product, "--payment-id", payment], site)
                _ = try await Self.output(of: ["finish", payment], site)
            }
            _ = try await Self.output(of: ["clock", "advance", "29d", "--reason", "A test."], site)
            #expect(try await !Self.output(of: ["why", coins], site).contains(Self.removed))
            _ = try await Self.output(of: ["clock", "advance", "2d", "--reason", "A test."], site)
            while try await !Self.output(of: ["why", coins], site).contains(Self.removed) {
                await Alarm.after(.milliseconds(20))
            }
            #expect(try await !Self.output(of: ["why", pro], site).contains(Self.removed), "it can be restored")
            let again = try await Self.output(of: ["buy", TestStore.coins, "--payment-id", coins], site)
            #expect(again.contains("purchased"), "\(again)")
            let books = try await Self.output(of: ["reconcile"], site)
            #expect(books.contains("The ledger and the provider agree: 2 charges compared."), "\(books)")
            _ = try await Self.output(of: ["receipt", "rebuild", coins, "--reason", "A test."], site)
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
            let (exit, findings) = try await site.examine("check", site.state)
            #expect(exit == .status(0), "\(findings)")
        }
    }

    private static func output(of command: [String], _ site: Site) async throws -> String {
        let result = try await site.till(command + ["--application", "org.example.notes"])
        #expect(result.exit == .status(0), "till \(command.joined(separator: " ")): \(result.lines)")
        return result.lines.joined(separator: "\n")
    }
}
