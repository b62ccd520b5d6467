import TillModel
package import TillEngine

extension StripeProvider {
    package func refund(_ request: ProviderRefundRequest) async -> ChargeOutcome {
        guard let amount = StripeAmount(exactly: request.amount, currency: request.currency) else {
            return .declined(Self.refundDeclined("Stripe cannot give back exactly this amount.", code: "amount"))
        }
        do throws(StripeFailure) {
            let fields = [
                ("payment_intent", request.charge), ("amount", "\(amount.amount)"),
                ("metadata[\(Metadata.refund)]", request.refundID.text),
                ("metadata[\(Metadata.ledger)]", configuration.ledger.text),
            ]
            let call = StripeCall.post("/v1/refunds", "", fields, keyOf: request.refundID.text)
            return try await api.make(call, as: StripeRefund.self) { () throws(StripeFailure) in
                try await self.refund(request.refundID.text, of: request.charge)
            }
            .outcome
        } catch .refused(let error) {
            return await outcome(of: request, refusedWith: error)
        } catch .busy(let pause) {
            return .busy(pause)
        } catch .unauthorized {
            return .busy(Self.pauseWithoutPermission)
        } catch {
            return .unknown(reason: error.reason)
        }
    }

    package func queryRefund(_ request: ProviderRefundRequest) async -> ChargeStatus {
        do throws(StripeFailure) {
            return try await refund(request.refundID.text, of: request.charge).map { .settled($0.outcome) } ?? .notFound
        } catch .busy(let pause) {
            return .settled(.busy(pause))
        } catch .unauthorized {
            return .settled(.busy(Self.pauseWithoutPermission))
        } catch {
            return .unreachable(reason: error.reason)
        }
    }

    /// The outcome of a refund that Stripe refused: an earlier call may have made it.
    private func outcome(of request: ProviderRefundRequest, refusedWith error: StripeError) async -> ChargeOutcome {
        switch await queryRefund(request) {
        case .settled(let outcome): outcome
        case .notFound, .ready: .declined(Self.refundDeclined(error.message, code: error.code))
        case .unreachable(let reason): .unknown(reason: reason)
        }
    }

    /// The refund of this identity among all of the payment, which Stripe lists newest first.
    private func refund(_ id: String, of intent: String) async throws(StripeFailure) -> StripeRefund? {
        var last: String?
        while true {
            var fields = [("payment_intent", intent), ("limit", "\(StripeList<StripeRefund>.limit)")]
            if let last {
                fields.append(("starting_after", last))
            }
            let page = try await api.send(.get("/v1/refunds", "", fields), as: StripeList<StripeRefund>.self)
            if let found = page.data.first(where: { $0.metadata?[Metadata.refund] == id }) {
                return found
            }
            guard page.hasMore, let oldest = page.data.last, oldest.id != last else {
                return nil
            }
            last = oldest.id
        }
    }

    static func refundDeclined(_ message: String?, code: String?) -> PaymentError {
        PaymentError(
            .unknown,
            message ?? "Stripe declined the refund.",
            reason: .providerDeclined,
            providerCode: code
        )
    }
}

extension StripeRefund {
    /// What the refund says.
    fileprivate var outcome: ChargeOutcome {
        switch ProviderReversal.Status(refund: status) {
        case .succeeded:
            .succeeded(reference: id)
        case .pending:
            .pending
        case .failed:
            .declined(StripeProvider.refundDeclined("The refund failed.", code: failureReason ?? status))
        case .withheld, nil:
            .unknown(reason: "the refund \(id) has the status \(status)")
        }
    }
}
