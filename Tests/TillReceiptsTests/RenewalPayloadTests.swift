import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillReceiptVerification
import TillReceipts

/// The fields of a subscription's renewal information.
@Suite struct RenewalPayloadTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var facts: RenewalFacts
        /// Members in addition to, or instead of, those of a renewing subscription.
        var expected: [String: JSON]
        var absent: Set<String> = []
    }

    private static let start = Samples.date.addingTimeInterval(-30 * Samples.day)
    private static let end = Samples.date.addingTimeInterval(Samples.day)
    private static let token = "7E3FB20B-4CDB-47CC-936D-99D65F608138"

    /// The members for an active, renewing subscription.
    static let plain: [String: JSON] = [
        "appTransactionId": "704000000000000007",
        "autoRenewProductId": "org.example.notes.sync.monthly",
        "autoRenewStatus": 1,
        "currency": "USD",
        "environment": "Sandbox",
        "isInBillingRetryPeriod": .bool(false),
        "originalTransactionId": "1999",
        "productId": "org.example.notes.sync.monthly",
        "recentSubscriptionStartDate": .milliseconds(start),
        "renewalDate": .milliseconds(end),
        "renewalPrice": 4990,
        "signedDate": 1_795_276_800_000,
    ]

    static func facts(_ change: (inout RenewalFacts) -> Void = { _ in }) -> RenewalFacts {
        let record = SubscriptionRecord(
            key: 3,
            queue: 7,
            groupID: "21400001",
            original: Samples.original,
            latestKey: 2_000_000_001,
            productID: "org.example.notes.sync.monthly",
            renewalProductID: "org.example.notes.sync.monthly",
            periodStart: start,
            periodEnd: end,
            recentStart: start,
            renewalAmount: 499,
            currency: "USD",
            dueAt: end
        )
        var facts = RenewalFacts(
            subscription: record,
            numbering: .plain,
            price: ReceiptFacts.Paid(amount: 499, currency: "USD"),
            date: Samples.date
        )
        change(&facts)
        return facts
    }

    /// The members for a subscription that does not renew.
    private static func ended(_ reason: ExpirationReason) -> RenewalFacts {
        facts {
            $0.subscription.state = .expired
            $0.subscription.expirationReason = reason
            $0.subscription.willRenew = false
            $0.price = nil
        }
    }

    private static let priceless: Set<String> = ["currency", "renewalPrice"]

    static let all =
        [
            Case(testDescription: "renewal as it is", facts: facts(), expected: [:]),
            Case(
                testDescription: "renewal of another product with a token, from an unknown start",
                facts: facts {
                    $0.subscription.renewalProductID = "org.example.notes.sync.yearly"
                    $0.subscription.recentStart = nil
                    $0.applicationUsername = token
                    $0.price = ReceiptFacts.Paid(amount: 500, currency: "JPY")
                },
                expected: [
                    "autoRenewProductId": "org.example.notes.sync.yearly", "currency": "JPY", "renewalPrice": 500_000,
                    "appAccountToken": .string(token.lowercased()),
                ],
                absent: ["recentSubscriptionStartDate"]
            ),
            Case(
                testDescription: "renewal with an offer",
                facts: facts {
                    $0.offer = AppliedOffer(type: .promotional, id: "spring", paymentMode: .payAsYouGo)
                    $0.offerPeriod = "P2M"
                },
                expected: [
                    "offerType": 2, "offerIdentifier": "spring", "offerDiscountType": "PAY_AS_YOU_GO",
                    "offerPeriod": "P2M",
                ]
            ),
            Case(
                testDescription: "no renewal",
                facts: facts {
                    $0.subscription.willRenew = false
                    $0.price = nil
                },
                expected: ["autoRenewStatus": 0],
                absent: priceless
            ),
            Case(
                testDescription: "renewal in its grace period",
                facts: facts {
                    $0.subscription.state = .inGracePeriod
                    $0.subscription.graceEnd = end
                },
                expected: ["isInBillingRetryPeriod": .bool(true), "gracePeriodExpiresDate": .milliseconds(end)]
            ),
            Case(
                testDescription: "renewal in billing retry",
                facts: facts { $0.subscription.state = .inBillingRetryPeriod },
                expected: ["isInBillingRetryPeriod": .bool(true)]
            ),
            Case(
                testDescription: "renewal that was revoked",
                facts: facts {
                    $0.subscription.state = .revoked
                    $0.subscription.willRenew = false
                    $0.price = nil
                },
                expected: ["autoRenewStatus": 0],
                absent: priceless
            ),
        ]
        + ExpirationReason.allCases.map { reason in
            Case(
                testDescription: "no renewal for reason \(reason.rawValue)",
                facts: ended(reason),
                expected: ["autoRenewStatus": 0, "expirationIntent": .integer(Int64(reason.rawValue))],
                absent: priceless
            )
        }
        + PriceConsent.allCases.map { consent in
            let status: [PriceConsent: JSON] = [.pending: 0, .agreed: 1]
            return Case(
                testDescription: "renewal with consent \(consent)",
                facts: facts { $0.subscription.priceConsent = consent },
                expected: status[consent].map { ["priceIncreaseStatus": $0] } ?? [:]
            )
        }

    @Test(arguments: all)
    func renewalInformationContainsTheKnownFacts(_ sample: Case) throws {
        let signed = try Samples.authority().sign(sample.facts)
        var expected = Self.plain.merging(sample.expected) { $1 }
        sample.absent.forEach { expected[$0] = nil }
        #expect(try signed.members() == expected)
        #expect(signed.body.hasPrefix(try signed.canonicalStart()))
    }

    @Test func renewalInformationIsVerifiedAndContainsNoApplication() async throws {
        let authority = try Samples.authority()
        let signed = try authority.sign(Self.facts()).compact
        let verifier = try ReceiptVerifier(rootCertificates: [authority.rootCertificate])
        let receipt = try verifier.verify(signed, environment: .sandbox)
        #expect(receipt.kind == .renewal && receipt.application == nil && receipt.environment == .sandbox)
        #expect(receipt.originalTransactionID == "1999" && receipt.productID == "org.example.notes.sync.monthly")
        #expect(receipt.signedDate == Samples.date)
        #expect(throws: ReceiptFault.unnamedApplication) {
            _ = try verifier.verify(signed, application: Samples.application)
        }
        #expect(throws: ReceiptFault.environment("Sandbox")) {
            _ = try verifier.verify(signed, environment: .production)
        }
    }
}
