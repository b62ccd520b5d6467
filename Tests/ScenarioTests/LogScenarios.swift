import Foundation
import ProcessTesting
import Testing

/// The log of a real daemon, for programs.
@Suite(.timeLimit(.minutes(10))) struct LogScenarios {
    private struct Record: Decodable {
        var time: String
        var level: String
        var logger: String
        var message: String
        var metadata: [String: String]?

        /// The state or the detail, whichever the record has.
        var event: String {
            "\(message): \(metadata?["transaction.state"] ?? metadata?["detail"] ?? "")"
        }
    }

    private static func records(_ shop: Shop, of id: String) throws -> [Record] {
        let text = try shop.site.log()
        let records = try text.split(separator: "\n").map { line in
            try JSONDecoder().decode(Record.self, from: Data(line.utf8))
        }
        #expect(records.contains { $0.message == "Serving" && $0.level == "notice" })
        return records.filter { $0.metadata?["transaction.id"] == id }
    }

    @Test func oneSearchFindsAllThatHappenedToAPayment() async throws {
        try await Shop.open(Catalogues.notes, ["--log-format", "json", "--log-level", "info"]) { shop in
            let bought = try await shop.buy(Notes.coins)
            _ = try await shop.buy(Notes.pro)
            try await shop.till("finish", bought.id)
            try await shop.till("refund", bought.id)
            let records = try Self.records(shop, of: bought.id)
            #expect(
                records.map(\.event).first == "Transaction stored: purchasing"
                    && records.map(\.event).contains("Transaction stored: purchased")
                    && records.map(\.event).contains("Transaction finished: purchased")
                    && records.contains { $0.metadata?["detail"]?.hasPrefix("refund of") == true },
                "\(records.map(\.event))"
            )
            #expect(records.allSatisfy { $0.level == "info" && $0.logger == "tilld" })
            #expect(records.first?.metadata?["application"] == shop.application)
            // The provider's record has the payment by the same identity.
            #expect(try shop.record().contains { $0.id == bought.id })
        }
    }

    @Test func aQuietLogHasNoPayments() async throws {
        try await Shop.open(Catalogues.notes, ["--log-format", "json", "--log-level", "notice"]) { shop in
            let bought = try await shop.buy(Notes.coins)
            #expect(try Self.records(shop, of: bought.id).isEmpty)
        }
    }
}
