import FoundationEssentials
import Logging
import StripeStandIn
import Testing
import TillEngine
import TillModel
import TillReceiptVerification
import TillReceipts

@testable import TillStripe

/// What Stripe takes is what the receipt says, in each currency that Stripe lists.
@Suite(.timeLimit(.minutes(5))) struct ReceiptAmountTests {
    /// Stripe would take other amounts, or none, for these prices.
    private static let inexact: Set = ["BHD", "JOD", "KWD", "MGA", "OMR", "TND", "UGX"]

    /// The currencies whose minor unit is too small for a charge: all but these, which have no decimals.
    private static let aboveOne = Set(StripeAmountTests.listed).subtracting([
        "BIF", "CLP", "DJF", "GNF", "ISK", "KMF", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF",
    ])

    @Test(
        arguments: [
            (1, aboveOne), (499, inexact.union(["CZK", "HUF", "MXN", "THB"])), (99_999, inexact),
        ] as [(Int64, Set<String>)]
    )
    func theBookAndTheReceiptHaveTheSameAmount(minorUnits: Int64, refused: Set<String>) async throws {
        let authority = try ReceiptAuthority(
            environment: .sandbox,
            date: Self.date,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let verifier = try ReceiptVerifier(rootCertificates: [authority.rootCertificate])
        try await StripeSite.with { site in
            for currency in StripeAmountTests.listed {
                // Calls of one second are limited.
                site.control.advance(by: .seconds(1))
                let request = StripeSite.request(amount: minorUnits, currency: currency)
                guard case .ready(let session) = await site.provider.prepare(request, renewing: nil) else {
                    #expect(refused.contains(currency), "\(minorUnits) \(currency)")
                    continue
                }
                #expect(!refused.contains(currency), "\(minorUnits) \(currency)")
                #expect(site.control.pay(session) == .completed)
                let movement = try #require(site.charges.last)
                let receipt = try verifier.verify(try authority.sign(Self.facts(request)).compact)
                let said = try #require(JSON(text: receipt.payload))
                #expect(said["currency"].string == currency)
                #expect(movement.currency == currency.lowercased())
                let thousandths = try #require(said["price"].int)
                let paid = Decimal(movement.amount, digits: StripeAmountTests.digits[currency] ?? 2)
                #expect(paid == Decimal(thousandths, digits: 3), "\(minorUnits) \(currency)")
            }
            #expect(site.charges.count == StripeAmountTests.listed.count - refused.count)
        }
    }

    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    private static func facts(_ request: ChargeRequest) -> ReceiptFacts {
        var transaction = TransactionRecord(
            key: 1,
            queue: 1,
            id: request.paymentID,
            payment: Payment(id: request.paymentID, productID: request.productID),
            productType: .consumable,
            state: .purchased,
            revision: 1,
            createdAt: date
        )
        transaction.sale = SaleRecord(amount: request.amount, currency: request.currency)
        return ReceiptFacts(
            application: request.application,
            queue: 1,
            numbering: .plain,
            transaction: transaction,
            storefront: Storefront(countryCode: "USA", identifier: "143441"),
            date: date
        )
    }
}

extension Decimal {
    fileprivate init(_ amount: Int, digits: Int) {
        self.init(sign: .plus, exponent: -digits, significand: Decimal(amount))
    }
}
