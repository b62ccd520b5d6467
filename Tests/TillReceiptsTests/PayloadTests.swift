import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillReceipts

/// The fields of a transaction's receipt.
@Suite struct PayloadTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var facts: ReceiptFacts
        /// Members in addition to, or instead of, those of a plain purchase.
        var expected: [String: JSON]
        var absent: Set<String> = []
    }

    /// The members for a purchase of a non-consumable.
    static let plain: [String: JSON] = [
        "transactionId": "2000000001",
        "originalTransactionId": "2000000001",
        "bundleId": "org.example.notes",
        "productId": "org.example.notes.pro",
        "purchaseDate": .milliseconds(Samples.date.addingTimeInterval(-60)),
        "originalPurchaseDate": .milliseconds(Samples.date.addingTimeInterval(-60)),
        "quantity": 1,
        "type": "Non-Consumable",
        "inAppOwnershipType": "PURCHASED",
        "signedDate": 1_795_276_800_000,
        "environment": "Sandbox",
        "storefront": "USA",
        "storefrontId": "143441",
        "transactionReason": "PURCHASE",
        "price": 4990,
        "currency": "USD",
        "appTransactionId": "704000000000000007",
    ]

    static let subscription: [String: JSON] = [
        "type": "Auto-Renewable Subscription",
        "subscriptionGroupIdentifier": "21400001",
        "purchaseDate": .milliseconds(Samples.date.addingTimeInterval(-30)),
        "expiresDate": .milliseconds(Samples.date.addingTimeInterval(30 * Samples.day)),
        "webOrderLineItemId": "2000000001",
    ]

    static let originals: [String: JSON] = [
        "originalTransactionId": "1999",
        "originalPurchaseDate": .milliseconds(Samples.date.addingTimeInterval(-90 * Samples.day)),
    ]

    @Test(arguments: all)
    func aPayloadContainsTheKnownFacts(_ sample: Case) throws {
        let receipt = try Samples.authority().sign(sample.facts)
        var expected = Self.plain.merging(sample.expected) { $1 }
        sample.absent.forEach { expected[$0] = nil }
        #expect(try receipt.members() == expected)
        #expect(receipt.body.hasPrefix(try receipt.canonicalStart()))
    }

    /// Applications store receipts, and verifiers of other languages read them: the bytes are a format.
    @Test func theBytesOfAPayloadStayTheSame() throws {
        var transaction = Samples.transaction(
            .autoRenewableSubscription,
            username: "7E3FB20B-4CDB-47CC-936D-99D65F608138"
        )
        transaction.term = Samples.term(isUpgraded: true)
        transaction.offer = AppliedOffer(type: .promotional, id: "\"50\" \\ \t/é\u{1F}", paymentMode: .payUpFront)
        transaction.revocation = Revocation(date: Samples.date, reason: .other, quantity: 1)
        let sale = SaleRecord(amount: 499, currency: "USD", offerPeriod: "P3M")
        let receipt = try Samples.authority().sign(Samples.facts(transaction, sale: sale, refund: .whole))
        #expect(
            receipt.payloadText == #"""
                {"appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","appTransactionId":"704000000000000007",\#
                "bundleId":"org.example.notes","currency":"USD","environment":"Sandbox","expiresDate":1797868800000,\#
                "inAppOwnershipType":"PURCHASED","isUpgraded":true,"offerDiscountType":"PAY_UP_FRONT",\#
                "offerIdentifier":"\"50\" \\ \u0009/é\u001f","offerPeriod":"P3M","offerType":2,\#
                "originalPurchaseDate":1795276740000,"originalTransactionId":"2000000001","price":4990,\#
                "productId":"org.example.notes.pro","purchaseDate":1795276770000,"quantity":1,\#
                "revocationDate":1795276800000,"revocationPercentage":100000,"revocationReason":0,\#
                "revocationType":"REFUND_FULL","signedDate":1795276800000,"storefront":"USA","storefrontId":"143441",\#
                "subscriptionGroupIdentifier":"21400001","transactionId":"2000000001","transactionReason":"PURCHASE",\#
                "type":"Auto-Renewable Subscription","webOrderLineItemId":"2000000001"}
                """#
        )
    }

    @Test(arguments: ReceiptEnvironment.allCases)
    func theEnvironmentComesFromTheAuthority(_ environment: ReceiptEnvironment) throws {
        let receipt = try Samples.authority(environment).sign(Samples.facts())
        #expect(try receipt.members()["environment"] == .string(environment.rawValue))
    }

    @Test func theHeaderHasTheAlgorithmAndThreeCertificates() throws {
        let authority = try Samples.authority()
        let members = try authority.sign(Samples.facts()).headerMembers()
        #expect(members["alg"] == "ES256")
        guard case .array(let chain)? = members["x5c"] else {
            Issue.record("There is no x5c.")
            return
        }
        #expect(chain.count == 3)
        #expect(chain.last == .string(Data(authority.rootCertificate).base64EncodedString()))
    }

    @Test func receiptsOfOneLeafShareTheirHeader() throws {
        let authority = try Samples.authority()
        let first = try authority.sign(Samples.facts())
        let second = try authority.sign(Samples.facts(Samples.transaction(.consumable)))
        #expect(first.header == second.header)
        #expect(first.body != second.body)
    }

    @Test func aDateBeyondTheRangeIsStillSigned() throws {
        var facts = Samples.facts()
        facts.transaction.createdAt = Date(timeIntervalSince1970: 1e300)
        #expect(try Samples.authority().sign(facts).members()["purchaseDate"] == .integer(.max))
    }

    @Test(arguments: [(Int.max, Int.max - 1), (.max, .min), (0, 0), (-1, -2), (.min, .max)])
    func invalidQuantitiesAreStillSigned(quantity: Int, revoked: Int) throws {
        var transaction = Samples.transaction(quantity: quantity)
        transaction.revocation = Revocation(date: Samples.date, reason: .other, quantity: revoked)
        _ = try Samples.authority().sign(Samples.facts(transaction))
    }
}
