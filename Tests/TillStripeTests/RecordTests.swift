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
            let charges = try await site.provider.record(after: nil).charges
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
                #expect(try await site.provider.record(after: nil).charges.isEmpty)
            }
        }
    }

    @Test func eachChargeIsReadOnce() async throws {
        try await StripeSite.with { site in
            var made: [UUID] = []
            for _ in 0..<230 {
                // The rate of calls is limited by the clock.
                site.control.advance(by: .seconds(1))
                let request = StripeSite.request()
                _ = try await site.purchase(request)
                made.append(request.paymentID)
            }
            var page = try await site.provider.record(after: nil)
            // What is paid in the meantime is left to the next comparison.
            site.control.advance(by: .seconds(1))
            _ = try await site.purchase(StripeSite.request())
            let before = site.control.requests().count
            var read = page.charges.map(\.paymentID)
            while let next = page.next {
                page = try await site.provider.record(after: next)
                read += page.charges.map(\.paymentID)
            }
            #expect(read == made.reversed())
            #expect(site.control.requests().count - before == 2)
        }
    }

    @Test func whatIsPreparedIsRead() async throws {
        try await StripeSite.with { site in
            _ = try await site.prepare(StripeSite.request())
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: "pm_card_visa")
            let page = try await site.provider.record(after: nil)
            #expect(page.prepared == [PreparedCharge(paymentID: request.paymentID, reference: intent)])
            try await site.provider.discard(page.prepared[0])
            #expect(try await site.provider.record(after: nil).prepared.isEmpty)
            #expect(site.object(intent)["status"].string == "canceled")
            // Again, as after a lost answer.
            try await site.provider.discard(page.prepared[0])
        }
    }

    @Test(arguments: [nil, "", "x", "12", "12 pi_1", " ", "9999999999999999999 pi_1"])
    func anyCursorIsRead(text: String?) {
        let cursor = RecordCursor(text, now: Date(timeIntervalSince1970: 7))
        #expect(cursor.end == (text?.hasPrefix("12") == true ? 12 : 7))
        #expect(RecordCursor(cursor.text, now: .distantPast).end == cursor.end)
    }

    @Test func aStripeThatCannotBeAskedIsUnavailable() async throws {
        try await StripeSite.with { site in
            site.control.addFault(Fault(.error(500, .before)))
            let error = await #expect(throws: TillError.self) {
                try await site.provider.record(after: nil).charges
            }
            #expect(error?.code == .unavailable)
        }
    }
}
