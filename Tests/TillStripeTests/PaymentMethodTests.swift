import StripeStandIn
import Testing
import TillEngine
import TillModel

@testable import TillStripe

/// Payment methods that customers keep at Stripe.
@Suite(.timeLimit(.minutes(5))) struct PaymentMethodTests {
    private static func with(
        _ body: (StripeSite, _ payment: String, _ customer: String) async throws -> Void
    ) async throws {
        try await StripeSite.with { site in
            let payment = try await site.purchase(StripeSite.request("monthly"))
            try await body(site, payment, try #require(site.object(payment)["customer"].string))
        }
    }

    @Test func theCardThatPaidIsTheDefaultAtFirst() async throws {
        try await Self.with { site, payment, _ in
            let methods = try await site.provider.paymentMethods(ofPayment: payment)
            let id = try #require(methods.first?.id)
            #expect(
                methods == [
                    PaymentMethod(
                        id: id,
                        type: "card",
                        brand: "visa",
                        lastDigits: "4242",
                        expirationMonth: "2034-12",
                        isDefault: true
                    )
                ]
            )
        }
    }

    @Test func theChosenDefaultPaysForRenewals() async throws {
        try await Self.with { site, payment, customer in
            try await site.setDefault("pm_card_mastercard", of: customer)
            let methods = try await site.provider.paymentMethods(ofPayment: payment)
            #expect(methods.map(\.brand) == ["mastercard", "visa"] && methods.map(\.isDefault) == [true, false])
            let renewal = try await site.prepare(StripeSite.request("monthly"), renewing: payment)
            #expect(site.object(renewal)["payment_method"].string == methods.first?.id)
        }
    }

    /// Even the one that paid before.
    @Test func aRemovedMethodPaysForNothing() async throws {
        try await Self.with { site, payment, customer in
            let attach = StripeCall.post("/v1/payment_methods/*/attach", "pm_card_mastercard", [("customer", customer)])
            let other = try await site.api.send(attach, as: StripePaymentMethod.self)
            let first = try await site.provider.paymentMethods(ofPayment: payment).filter(\.isDefault)
            #expect(first.map(\.brand) == ["visa"])
            try await site.provider.removePaymentMethod(try #require(first.first?.id), ofPayment: payment)
            let left = try await site.provider.paymentMethods(ofPayment: payment)
            #expect(left.map(\.id) == [other.id] && left.map(\.isDefault) == [true])
            // Renewals yield to calls that somebody waits for.
            site.control.advance(by: .seconds(60))
            let renewal = try await site.prepare(StripeSite.request("monthly"), renewing: payment)
            #expect(site.object(renewal)["payment_method"].string == other.id)
        }
    }

    @Test func withoutAnyMethodARenewalFails() async throws {
        try await Self.with { site, payment, _ in
            let method = try #require(try await site.provider.paymentMethods(ofPayment: payment).first)
            try await site.provider.removePaymentMethod(method.id, ofPayment: payment)
            site.control.advance(by: .seconds(60))
            let outcome = await site.provider.prepare(StripeSite.request("monthly"), renewing: payment)
            #expect(outcome == .declined(.noPaymentMethod))
        }
    }

    @Test(arguments: [true, false])
    func anothersMethodIsNotFound(exists: Bool) async throws {
        try await Self.with { site, payment, _ in
            let foreign = try await site.purchase(StripeSite.request("monthly"))
            let methods = try await site.provider.paymentMethods(ofPayment: foreign)
            let id = exists ? try #require(methods.first?.id) : "pm_unknown"
            let error = await #expect(throws: TillError.self) {
                try await site.provider.removePaymentMethod(id, ofPayment: payment)
            }
            #expect(error?.code == .notFound)
            #expect(try await site.provider.paymentMethods(ofPayment: foreign) == methods)
        }
    }

    @Test func aCardAddedOnThePageBecomesTheDefault() async throws {
        try await Self.with { site, payment, _ in
            let page = try await site.provider.paymentMethodPage(.add, ofPayment: payment)
            let card = ["action": "add", "number": "5555555555554444", "expiry": "12/34", "cvc": "123"]
            #expect(site.control.submit(card, toPortal: page) == "https://shop.example.org/paid")
            let methods = try await site.provider.paymentMethods(ofPayment: payment)
            #expect(methods.map(\.lastDigits) == ["4444", "4242"] && methods.map(\.isDefault) == [true, false])
        }
    }

    @Test func allMethodsAreManagedOnAnotherPage() async throws {
        try await Self.with { site, payment, customer in
            try await site.setDefault("pm_card_mastercard", of: customer)
            let visa = try #require(try await site.provider.paymentMethods(ofPayment: payment).last)
            let page = try await site.provider.paymentMethodPage(.manage, ofPayment: payment)
            #expect(site.control.submit(["action": "default", "payment_method": visa.id], toPortal: page) == nil)
            let methods = try await site.provider.paymentMethods(ofPayment: payment)
            #expect(methods.map(\.isDefault) == [false, true])
        }
    }

    @Test func aPaymentWithoutACustomerKeptNone() async throws {
        try await StripeSite.with { site in
            let payment = try await site.purchase()
            let error = await #expect(throws: TillError.self) {
                _ = try await site.provider.paymentMethods(ofPayment: payment)
            }
            #expect(error?.code == .failedPrecondition)
        }
    }

    @Test func withoutAnAnswerItIsUnavailable() async throws {
        try await Self.with { site, payment, _ in
            site.control.addFault(Fault(.reset(.before), path: "/v1/payment_intents/\(payment)", count: 9))
            let error = await #expect(throws: TillError.self) {
                _ = try await site.provider.paymentMethodPage(.manage, ofPayment: payment)
            }
            #expect(error?.code == .unavailable)
        }
    }
}
