import StripeStandIn
import Testing
import TillEngine
import TillModel

@testable import TillStripe

/// Payers who change their payment methods at Stripe.
@Suite(.timeLimit(.minutes(5))) struct MethodChangeTests {
    /// A customer who has bought a subscription, before the first news were read.
    private static func with(
        _ body: (StripeSite, NewsReader, _ customer: String, ChargeRequest) async throws -> Void
    ) async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly")
            let payment = try await site.purchase(request)
            let customer = try #require(site.object(payment)["customer"].string)
            let reader = try await NewsReader(site)
            try await body(site, reader, customer, request)
        }
    }

    @Test func anotherDefaultIsAChangeOnce() async throws {
        try await Self.with { site, reader, customer, request in
            _ = try await reader.read()
            try await site.setDefault("pm_card_mastercard", of: customer)
            #expect(try await reader.read().isEmpty)
            #expect(reader.methods.map(\.payments) == [[request.paymentID]])
            #expect(reader.methods.first?.reference.hasPrefix("evt_") == true)
            for _ in 0..<3 {
                site.control.advance(by: .seconds(61))
                #expect(try await reader.read().isEmpty && reader.methods.isEmpty)
            }
        }
    }

    /// As Stripe does when a bank replaces a card.
    @Test func aNewExpiryDateIsAChange() async throws {
        try await Self.with { site, reader, customer, request in
            let saved = try await site.api.send(
                .get("/v1/customers/*/payment_methods", customer),
                as: StripeList<StripePaymentMethod>.self
            )
            try site.control.updateMethod(try #require(saved.data.first?.id))
            _ = try await reader.read()
            #expect(reader.methods.map(\.payments) == [[request.paymentID]])
        }
    }

    @Test func customersOfOtherProgramsAreIgnored() async throws {
        try await Self.with { site, reader, _, _ in
            let other = try await site.api.send(.post("/v1/customers"), as: StripeCustomer.self).id
            try await site.setDefault("pm_card_visa", of: other)
            _ = try await reader.read()
            #expect(reader.methods.isEmpty)
        }
    }

    /// What happened while the daemon did not run.
    @Test func aChangeIsFoundAfterDays() async throws {
        try await Self.with { site, reader, customer, request in
            try await site.setDefault("pm_card_mastercard", of: customer)
            site.control.advance(by: .seconds(9 * 86_400))
            // The first round sweeps.
            _ = try await reader.read()
            site.control.advance(by: .seconds(61))
            _ = try await reader.read()
            #expect(reader.methods.map(\.payments) == [[request.paymentID]])
        }
    }

    @Test func manyChangesAreFollowedPageByPage() async throws {
        try await Self.with { site, reader, customer, _ in
            let count = NewsCursor.eventsMaximum + 5
            for _ in 0..<count {
                try await site.setDefault("pm_card_visa", of: customer)
            }
            _ = try await reader.read()
            #expect(reader.methods.count == count)
            #expect(Set(reader.methods.map(\.reference)).count == count)
        }
    }

    /// They are read when Stripe answers again; refunds are not kept back.
    @Test func withoutAnAnswerNothingIsLost() async throws {
        try await Self.with { site, reader, customer, request in
            try await site.setDefault("pm_card_mastercard", of: customer)
            let refund = try site.control.refundInDashboard(try await site.purchase())
            site.control.addFault(Fault(.reset(.before), path: "/v1/payment_intents", count: 9))
            #expect(try await reader.read().map(\.reference) == [refund])
            #expect(reader.methods.isEmpty)
            site.control.clearFaults()
            _ = try await reader.read()
            #expect(reader.methods.map(\.payments) == [[request.paymentID]])
        }
    }
}

extension StripeSite {
    /// Attaches a test card to the customer and makes it the default, as the payer can at Stripe.
    func setDefault(_ method: String, of customer: String) async throws {
        let attach = StripeCall.post("/v1/payment_methods/*/attach", method, [("customer", customer)])
        let attached = try await api.send(attach, as: StripePaymentMethod.self)
        let fields = [("invoice_settings[default_payment_method]", attached.id)]
        _ = try await api.send(.post("/v1/customers/*", customer, fields), as: StripeCustomer.self)
    }
}
