import FoundationEssentials
import Logging
import Testing
import TillEngine
import TillModel
import TillReceipts

/// The receipt with all of an application's purchases.
@Suite struct ApplicationReceiptTests {
    @Test func itContainsTheApplicationAndItsPurchases() throws {
        let authority = try ReceiptAuthority(
            environment: .production,
            appAppleID: 1_234,
            date: Samples.date,
            logger: Samples.quiet
        )
        let receipts = try (1...3).map { try authority.sign(Samples.facts(Samples.transaction(key: $0))) }
        let members = try authority.sign(Self.facts(receipts)).members()
        #expect(
            members == [
                "receiptType": "Production",
                "appAppleId": 1_234,
                "bundleId": "org.example.notes",
                "receiptCreationDate": 1_795_276_800_000,
                "originalPurchaseDate": 1_795_190_400_000,
                "appTransactionId": "704000000000000007",
                "inApp": .array(try receipts.map { .object(try $0.members()) }),
            ]
        )
    }

    @Test func withoutPurchasesItIsStillCreated() throws {
        var facts = Self.facts([])
        facts.originalPurchaseDate = nil
        let members = try Samples.authority().sign(facts).members()
        #expect(members["inApp"] == .array([]))
        #expect(members["originalPurchaseDate"] == nil)
        #expect(members["appAppleId"] == nil)
    }

    @Test func anUnusedApplicationHasNoIdentifier() throws {
        var facts = Self.facts([])
        facts.appTransactionID = nil
        #expect(try Samples.authority().sign(facts).members()["appTransactionId"] == nil)
    }

    @Test(arguments: [
        "", ".", "!!.AAAA", "W10.AAAA", "bnVsbA.AAAA", "eyJhIjox.AAAA", "eyJhIjoxfX0.AAAA", "eyJhIjoi_yJ9.AAAA",
    ])
    func aReceiptThatCannotBeReadIsLeftOut(body: String) throws {
        let lines = LogLines()
        let authority = try ReceiptAuthority(environment: .sandbox, date: Samples.date, logger: lines.logger)
        let whole = try authority.sign(Samples.facts())
        let members = try authority.sign(Self.facts([SignedReceipt(header: "", body: body), whole])).members()
        #expect(members["inApp"] == .array([.object(try whole.members())]))
        #expect(lines.count(.error) == 1)
    }

    static func facts(_ receipts: [SignedReceipt]) -> ApplicationReceiptFacts {
        ApplicationReceiptFacts(
            application: Samples.application,
            appTransactionID: "704000000000000007",
            originalPurchaseDate: Samples.date.addingTimeInterval(-Samples.day),
            receipts: receipts,
            date: Samples.date
        )
    }
}
