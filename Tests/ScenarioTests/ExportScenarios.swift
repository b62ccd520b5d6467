import Foundation
import ProcessTesting
import Testing

/// What accountants get, held against the provider's record.
@Suite(.timeLimit(.minutes(10))) struct ExportScenarios {
    private struct EntryLine: Decodable {
        var date: String
        var kind: String
        var paymentID: String
        var refundID: String?
        var product: String
        var quantity: Int
        var amount: Int
        var currency: String
        var reference: String?
    }

    private struct TotalLine: Decodable {
        var day: String
        var currency: String
        var charges: Int
        var charged: Int
        var refunds: Int
        var refunded: Int
        var net: Int
    }

    /// Purchases, refunds in parts, renewals on later days, and a payment that failed.
    private func trade(_ shop: Shop) async throws -> (coins: String, trial: String) {
        let coins = try await shop.buy(Notes.coins, "--quantity", "3")
        try await shop.till("refund", coins.id, "--quantity", "1")
        try await shop.till("refund", coins.id)
        try await shop.buy(Notes.pro)
        let trial = try await shop.buy(Notes.monthly)
        for _ in 1...2 {
            try await shop.advance(past: try await shop.subscription().expirationDate)
        }
        try await shop.set("interrupted-purchases=true")
        try await shop.buy(Notes.coins, exits: 1)
        return (coins.id, trial.id)
    }

    @Test func theExportIsTheProvidersRecord() async throws {
        try await Shop.open { shop in
            let (coins, trial) = try await trade(shop)
            let entries = try await shop.till("export").all(EntryLine.self)
            let record = try shop.record()
            #expect(record.count == 6, "the test's own purchases: \(record)")
            #expect(
                entries.map { "\($0.paymentID) \($0.refundID ?? "-") \($0.amount) \($0.currency)" }.sorted()
                    == record.map { line in
                        let refund = line.refundID?.lowercased() ?? "-"
                        return
                            "\(line.id) \(refund) \(line.refundID == nil ? line.amount : -line.amount) \(line.currency)"
                    }
                    .sorted()
            )
            // Each charge is followed by its refunds.
            #expect(entries.prefix(3).map(\.paymentID) == [coins, coins, coins])
            #expect(entries.prefix(3).map(\.kind) == ["charge", "refund", "refund"])
            #expect(entries.prefix(3).map(\.quantity) == [3, 1, 2])
            #expect(entries.allSatisfy { $0.reference != nil && $0.paymentID != trial })

            let totals = try await shop.till("export", "--totals").all(TotalLine.self)
            #expect(totals.map(\.day) == totals.map(\.day).sorted() && totals.count == 3)
            #expect(totals.allSatisfy { $0.currency == "USD" && $0.net == $0.charged + $0.refunded })
            #expect(totals.reduce(0) { $0 + $1.net } == entries.reduce(0) { $0 + $1.amount })
            #expect(totals.reduce(0) { $0 + $1.charges } == 4 && totals.reduce(0) { $0 + $1.refunds } == 2)

            // Two parts are the whole.
            let day = try #require(totals.last?.day)
            let before = try await shop.till("export", "--until", day).all(EntryLine.self)
            let after = try await shop.till("export", "--since", day).all(EntryLine.self)
            #expect(before.count == 5 && after.count == 1 && after.allSatisfy { $0.date.hasPrefix(day) })
        }
    }

    @Test func aSpreadsheetReadsTheExport() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy(Notes.coins, "--quantity", "3")
            try await shop.till("refund", bought.id, "--quantity", "1")
            let process = try site(shop, ["export"])
            #expect(await process.exit() == .status(0))
            let lines = try String(contentsOfFile: shop.site.path("export.out"), encoding: .utf8).split(separator: "\n")
            #expect(
                lines.first
                    == "date,kind,payment_id,refund_id,application,account,product,quantity,amount,currency,reference"
            )
            try #require(lines.count == 3, "\(lines)")
            #expect(lines[1].contains(",charge,\(bought.id),,\(shop.application),"), "\(lines[1])")
            #expect(lines[1].contains(",\(Notes.coins),3,2.97,USD,"), "\(lines[1])")
            #expect(lines[2].contains(",refund,\(bought.id),") && lines[2].contains(",1,-0.99,USD,"), "\(lines[2])")
        }
    }

    @Test func datesThatAreNoneAreRefused() async throws {
        try await Shop.open { shop in
            for date in ["yesterday", "2026-13-01", "2026-11-31", ""] {
                let refused = try await shop.till("export", "--since", date, exits: 64)
                #expect(refused.errors.contains("--since"), "\(date): \(refused.errors)")
            }
            let refused = try await shop.till("export", "--since", "2026-11-02", "--until", "2026-11-02", exits: 64)
            #expect(refused.errors.contains("--until must be later than --since"), "\(refused.errors)")
            #expect(try await shop.till("export").text.isEmpty)
        }
    }

    private func site(_ shop: Shop, _ arguments: [String]) throws -> ChildProcess {
        try shop.site.start(
            "export",
            Binaries.command,
            arguments + ["--socket", shop.site.socket],
            log: "export.out",
            errors: "export.err"
        )
    }
}
