import StripeStandIn
import Testing
import TillEngine
import TillModel

@testable import TillStripe

/// What Stripe's refunds mean.
@Suite(.timeLimit(.minutes(5))) struct RefundMappingTests {
    @Test func aRefundThatSucceeded() async throws {
        try await StripeSite.with { site in
            let refund = site.refund(of: try await site.purchase(), amount: 200)
            #expect(await site.provider.queryRefund(refund) == .notFound)
            guard case .succeeded(let reference) = await site.provider.refund(refund) else {
                Issue.record("It did not succeed.")
                return
            }
            #expect(reference.hasPrefix("re_"))
            #expect(await site.provider.queryRefund(refund) == .settled(.succeeded(reference: reference)))
            #expect(await site.provider.refund(refund) == .succeeded(reference: reference))
            #expect(site.refunded == [200])
        }
    }

    @Test(arguments: ["succeeded", "requires_action", "failed", "canceled"])
    func aRefundThatIsPending(end: String) async throws {
        try await StripeSite.with { site in
            let refund = site.refund(of: try await site.purchase(with: "pm_card_pendingRefund"))
            #expect(await site.provider.refund(refund) == .pending)
            #expect(await site.provider.queryRefund(refund) == .settled(.pending))
            let id = try #require(try await site.latestRefund)
            try site.control.settleRefund(id, end)
            switch (end, await site.provider.queryRefund(refund)) {
            case ("succeeded", .settled(.succeeded(let reference))): #expect(reference == id)
            case ("requires_action", .settled(.pending)): break
            case ("failed", .settled(.declined)), ("canceled", .settled(.declined)): break
            case let (end, status): Issue.record("\(end): \(status)")
            }
        }
    }

    /// Its money came back to the merchant.
    @Test func aRefundThatFailedAfterItSucceeded() async throws {
        try await StripeSite.with { site in
            let refund = site.refund(of: try await site.purchase(with: "pm_card_refundFail"))
            guard case .succeeded = await site.provider.refund(refund) else {
                Issue.record("It did not succeed.")
                return
            }
            site.control.advance(by: .seconds(2 * 86_400))
            guard case .settled(.declined(let error)) = await site.provider.queryRefund(refund) else {
                Issue.record("It did not fail.")
                return
            }
            #expect(error.providerCode == "lost_or_stolen_card")
        }
    }

    @Test func aPaymentThatWasRefundedInTheDashboardHasNothingLeft() async throws {
        try await StripeSite.with { site in
            let payment = try await site.purchase()
            _ = try site.control.refundInDashboard(payment)
            guard case .declined(let error) = await site.provider.refund(site.refund(of: payment)) else {
                Issue.record("It was refunded twice.")
                return
            }
            #expect(error.providerCode == "charge_already_refunded")
            #expect(site.refunded == [499])
        }
    }

    /// Keys are forgotten after a day; the refund is found by its identity.
    @Test func ourOwnRefundIsAdopted() async throws {
        try await StripeSite.with { site in
            let refund = site.refund(of: try await site.purchase())
            site.control.addFault(Fault(.truncated, path: "/v1/refunds"))
            guard case .unknown = await site.provider.refund(refund) else {
                Issue.record("A lost answer has an outcome.")
                return
            }
            site.control.advance(by: .seconds(90_000))
            guard case .succeeded = await site.provider.refund(refund) else {
                Issue.record("It was not found.")
                return
            }
            #expect(site.refunded == [499])
        }
    }

    @Test(arguments: ErrorMappingTests.losses, [100, 499] as [Int64])
    func aLostRefundIsGivenOnce(kind: Fault.Kind, amount: Int64) async throws {
        try await StripeSite.with { site in
            let refund = site.refund(of: try await site.purchase(), amount: amount)
            site.control.addFault(Fault(kind, method: "POST", path: "/v1/refunds"))
            // After a reset, the client itself repeats a call that has a key.
            switch await site.provider.refund(refund) {
            case .unknown, .succeeded: break
            case let outcome: Issue.record("\(outcome)")
            }
            for _ in 0..<2 {
                guard case .succeeded = await site.provider.refund(refund) else {
                    Issue.record("It was not given.")
                    return
                }
            }
            #expect(site.refunded == [Int(amount)])
        }
    }

    @Test func theRefundIsFoundAmongMany() async throws {
        try await StripeSite.with { site in
            let payment = try await site.purchase(StripeSite.request(amount: 99_999))
            let refund = site.refund(of: payment, amount: 1)
            #expect(await site.provider.refund(refund) != .pending)
            for _ in 0..<150 {
                _ = try site.control.refundInDashboard(payment, amount: 1)
            }
            guard case .settled(.succeeded) = await site.provider.queryRefund(refund) else {
                Issue.record("It was not found.")
                return
            }
            #expect(await site.provider.queryRefund(site.refund(of: payment, amount: 1)) == .notFound)
        }
    }

    @Test func anAmountThatStripeCannotGiveBackIsDeclined() async throws {
        try await StripeSite.with { site in
            var refund = site.refund(of: "pi_x", amount: 1)
            refund.currency = "KWD"
            guard case .declined = await site.provider.refund(refund) else {
                Issue.record("It has no outcome.")
                return
            }
            #expect(site.control.requests().isEmpty)
        }
    }
}

extension StripeSite {
    func refund(of payment: String, amount: Int64 = 499) -> ProviderRefundRequest {
        ProviderRefundRequest(
            refundID: .version7(),
            paymentID: .version7(),
            charge: payment,
            amount: amount,
            currency: "EUR"
        )
    }

    /// The amounts that were given back.
    var refunded: [Int] {
        control.movements().filter { $0.kind == .refund }.map(\.amount)
    }

    var latestRefund: String? {
        get async throws {
            try await api.send(.get("/v1/refunds"), as: StripeList<StripeRefund>.self).data.first?.id
        }
    }
}
