import FoundationEssentials
import Testing
import TillModel
@testable import TillCommand

@Suite struct ReferenceTests {
    private static let first = UUID(high: 0x01A1_FE7E_31C3_7392, low: 0xB116_4008_060A_9809)
    private static let second = UUID(high: 0x01A1_FE7E_3BA2_736F, low: 0x9193_392C_632F_45AA)

    @Test(arguments: [
        (text: "01A1FE7E-31C3-7392-B116-4008060A9809", reference: TransactionReference.id(first)),
        ("17", .identifier("17")), ("1234567890", .identifier("1234567890")),
    ])
    func aReferenceIsAnIdentityOrAnIdentifier(text: String, reference: TransactionReference) {
        #expect(TransactionReference(argument: text) == reference)
    }

    @Test(arguments: ["01a1", "01A1FE7E-3", "0000", "abcd", "01a1fe7e-31c3-7392-b116-4008060a980"])
    func aReferenceMayBeAPrefix(text: String) throws {
        let prefix = try #require(IdentityPrefix(argument: text))
        #expect(TransactionReference(argument: text) == .prefix(prefix))
        #expect("\(TransactionReference.prefix(prefix))" == text.lowercased())
    }

    @Test(arguments: ["", "x", "0", "01a", "01-a", "01a1g", "-1", "٣٤٥٦", "01a1fe7e-31c3-7392-b116-4008060a98099"])
    func otherTextIsNotAReference(text: String) {
        #expect(TransactionReference(argument: text) == nil)
    }

    @Test func referencesAreFoundInTheOrderGiven() throws {
        let ids = try found(["3", "01a1fe7e-3b", "01a1fe7e-31c3-7392-b116-4008060a9809"])
        #expect(ids == [Self.first, Self.second, Self.first])
    }

    @Test func anAmbiguousPrefixIsRefused() {
        let error = #expect(throws: TillError.self) { try found(["01a1"]) }
        #expect(error?.code == .invalidArgument)
        #expect(
            error?.message
                == "Ambiguous transaction 01a1: it matches \(Self.first.text) and \(Self.second.text); use more digits."
        )
    }

    @Test(arguments: ["4", "01a2"])
    func anUnknownTransactionIsNamed(text: String) {
        let error = #expect(throws: TillError.self) { try found([text]) }
        #expect(error?.code == .notFound)
        #expect(error?.message == "The queue has no transaction \(text).")
    }

    @Test func aSearchEndsOnceItsResultIsFinal() throws {
        var search = ReferenceSearch([.identifier("3"), .id(Self.second)])
        #expect(!search.isDone)
        try search.look(at: Self.transactions[0])
        #expect(search.isDone)
        let prefix = try #require(IdentityPrefix(argument: "01a1fe7e-31"))
        search = ReferenceSearch([.prefix(prefix)])
        try search.look(at: Self.transactions[0])
        #expect(!search.isDone, "another transaction may match")
    }

    @Test func aRequestIsFoundByItsPrefix() throws {
        let prefix = try #require(IdentityPrefix(argument: "01a1fe7e-3b"))
        var search = RequestSearch(prefix)
        #expect(throws: TillError.self) { try search.request() }
        try search.look(at: .sample(id: Self.first))
        try search.look(at: .sample(id: Self.second, kind: .priceConsent))
        #expect(try search.request().kind == .priceConsent)
        let error = #expect(throws: TillError.self) { try search.look(at: .sample(id: Self.second)) }
        #expect(error?.message.hasPrefix("Ambiguous request 01a1fe7e-3b: it matches ") == true)
    }

    private static let transactions = [
        transaction(first, identifier: "3"), transaction(second, identifier: "5"),
    ]

    private static func transaction(_ id: UUID, identifier: String) -> Transaction {
        Transaction(
            id: id,
            revision: 1,
            state: .purchased,
            payment: Payment(id: id, productID: "coins"),
            purchase: PurchaseIdentity(
                transactionIdentifier: identifier,
                transactionDate: Date(millisecondsSince1970: 0)
            )
        )
    }

    private func found(_ texts: [String]) throws -> [UUID] {
        let references = try texts.map { try TransactionReference.parse($0) }
        var search = ReferenceSearch(references)
        for transaction in Self.transactions where !search.isDone {
            try search.look(at: transaction)
        }
        return try references.map { try search.id($0, in: "The queue") }
    }
}
