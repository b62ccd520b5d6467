import FoundationEssentials
import StripeStandIn
import Testing
import TillEngine
import TillModel

@testable import TillStripe

/// Stripe's record, for comparing it with the ledger.
@Suite(.timeLimit(.minutes(5))) struct RecordTests {
    @Test func theRecordHasWhatWasPaidAndGivenBack() async throws {
        try await StripeSite.with { site in
            let first = StripeSite.request(amount: 499)
            let second = StripeSite.request(amount: 1_000)
            let payment = try await site.purchase(first)
            let other = try await site.purchase(second)
            _ = await site.provider.refund(site.refund(of: other, amount: 250))
            // Neither of these is a charge.
            _ = try await site.prepare(StripeSite.request())
            _ = try await site.renewal(StripeSite.request("monthly"), with: "pm_card_visa")
            let charges = try await site.provider.recordedCharges(from: 0, limit: 10)
            #expect(charges.count == 3)
            #expect(
                charges.suffix(2) == [
                    ProviderCharge(
                        paymentID: second.paymentID,
                        amount: 1_000,
                        currency: "EUR",
                        reference: other,
                        refunded: 250
                    ),
                    ProviderCharge(paymentID: first.paymentID, amount: 499, currency: "EUR", reference: payment),
                ]
            )
        }
    }

    @Test func paymentsOfOtherLedgersAndProgramsAreLeftOut() async throws {
        try await StripeSite.with { site in
            let payment = try await site.purchase()
            for metadata in [[:], ["till_ledger": "another", "till_payment": "x"]] as [JSON] {
                try site.control.overwrite(payment, "metadata", metadata)
                #expect(try await site.provider.recordedCharges(from: 0, limit: 10).isEmpty)
            }
        }
    }

    /// However it is read, in few requests if it is read in order.
    @Test(arguments: [1, 7, 100, 1_000])
    func eachChargeIsReadOnce(limit: Int) async throws {
        try await StripeSite.with { site in
            var made: [UUID] = []
            for _ in 0..<230 {
                // The rate of calls is limited by the clock.
                site.control.advance(by: .seconds(1))
                let request = StripeSite.request()
                _ = try await site.purchase(request)
                made.append(request.paymentID)
            }
            let before = site.control.requests().count
            var read: [UUID] = []
            while true {
                let charges = try await site.provider.recordedCharges(from: read.count, limit: limit)
                read += charges.map(\.paymentID)
                guard charges.count == limit else {
                    break
                }
            }
            #expect(read == made.reversed())
            #expect(site.control.requests().count - before == 3)
            #expect(try await site.provider.recordedCharges(from: 229, limit: 5).map(\.paymentID) == [made[0]])
            #expect(try await site.provider.recordedCharges(from: 230, limit: 5).isEmpty)
        }
    }

    @Test func aStripeThatCannotBeAskedIsUnavailable() async throws {
        try await StripeSite.with { site in
            site.control.addFault(Fault(.error(500, .before)))
            let error = await #expect(throws: TillError.self) {
                try await site.provider.recordedCharges(from: 0, limit: 5)
            }
            #expect(error?.code == .unavailable)
        }
    }
}
