import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct ExportTests {
    private static let by = OperatorIdentity(uid: 501, reason: "asked by phone")

    static func entries(_ engine: PaymentEngine, since: Date? = nil, until: Date? = nil) async throws
        -> [LedgerEntry]
    {
        let entries = NIOLockedValueBox<[LedgerEntry]>([])
        try await engine.exportEntries(since: since, until: until) { part in
            entries.withLockedValue { $0 += part }
        }
        return entries.withLockedValue { $0 }
    }

    @Test func onlyMovedMoneyIsExported() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("pro")
            // Bought again, it costs nothing.
            _ = try await harness.buy("pro")
            #expect(try await Self.entries(harness.engine).map(\.paymentID) == [bought.id])
            let order = RefundOrder(transactionID: bought.id)
            _ = try await harness.engine.refund(order, by: Self.by)
            let entries = try await Self.entries(harness.engine)
            #expect(entries.map(\.kind) == [.charge, .refund])
            #expect(entries.map(\.refundID) == [nil, order.id])
            #expect(entries.map(\.amount) == [499, 499])
            #expect(entries.map(\.reference) == [entries.first?.reference, "refund-\(order.id.text)"])
            #expect(entries.allSatisfy { $0.application == EngineHarness.notes.application && $0.currency == "USD" })
        }
    }

    @Test func datesLeaveOutWhatIsBeforeAndAfter() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("pro")
            let date = try #require(try await Self.entries(harness.engine).first?.date)
            let second = Date(timeInterval: 1, since: date)
            #expect(try await Self.entries(harness.engine, since: date, until: second).count == 1)
            #expect(try await Self.entries(harness.engine, since: second).isEmpty)
            #expect(try await Self.entries(harness.engine, until: date).isEmpty)
            // A request may have any dates.
            #expect(try await Self.entries(harness.engine, since: Date(timeIntervalSince1970: 1e15)).isEmpty)
            #expect(try await Self.entries(harness.engine, until: Date(timeIntervalSince1970: -1e15)).isEmpty)
            await expect(.invalidArgument) { _ = try await Self.entries(harness.engine, since: date, until: date) }
        }
    }

    /// Sales begin with a date, wherever it is among the transactions, and have later refunds.
    @Test func salesAreReadFromADateOn() async throws {
        try await EngineHarness().run { harness in
            var bought: [(id: UUID, date: Date)] = []
            for _ in 0..<7 {
                let transaction = try await harness.buy("coins")
                bought.append((transaction.id, harness.engine.clock().now))
                harness.time.advance(by: 86_400)
            }
            _ = try await harness.engine.refund(RefundOrder(transactionID: bought[5].id), by: Self.by)
            for (index, purchase) in bought.enumerated() {
                let entries = NIOLockedValueBox<[LedgerEntry]>([])
                // Half a day before each purchase.
                try await harness.engine.salesEntries(since: purchase.date - 43_200) { part in
                    entries.withLockedValue { $0 += part }
                }
                let found = entries.withLockedValue { $0 }
                #expect(found.filter { $0.kind == .charge }.map(\.paymentID) == bought[index...].map(\.id))
                #expect(found.filter { $0.kind == .refund }.map(\.paymentID) == (index > 5 ? [] : [bought[5].id]))
            }
            try await harness.engine.salesEntries(since: harness.engine.clock().now) { #expect($0.isEmpty) }
        }
    }

    /// More charges than are read at a time.
    @Test func everyPartOfTheLedgerIsRead() async throws {
        try await EngineHarness().run { harness in
            for _ in 0..<3 {
                _ = try await harness.buy("coins")
            }
            let first = try await harness.ledger.read { try $0.charges(afterKey: 0, limit: 10) }
            let copies = (0..<1500).map { _ in
                var charge = first[0]
                charge.key = 0
                charge.transactionKey = nil
                charge.subscriptionKey = nil
                charge.request.paymentID = UUID()
                return charge
            }
            try await harness.ledger.commit { ledger in
                for copy in copies {
                    _ = try ledger.insert(copy)
                }
            }
            let entries = try await Self.entries(harness.engine)
            #expect(Set(entries.map(\.paymentID)) == Set((first + copies).map(\.request.paymentID)))
            #expect(entries.count == 1503)
        }
    }
}
