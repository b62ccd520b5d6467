import FoundationEssentials
package import TillEngine
package import TillModel

extension StripeProvider {
    package func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        let position = RecordCursor(cursor, now: time.now())
        var fields = [
            ("limit", "\(StripeList<PaymentIntent>.limit)"), ("created[lte]", "\(position.end)"),
            ("expand[]", "data.latest_charge"),
        ]
        if let last = position.last {
            fields.append(("starting_after", last))
        }
        let list: StripeList<PaymentIntent> = try await read(.get("/v1/payment_intents", "", fields))
        var page = ProviderRecordPage()
        for intent in list.data {
            try await add(intent, to: &page)
        }
        if list.hasMore, let last = list.data.last {
            page.next = RecordCursor(end: position.end, last: last.id).text
        }
        return page
    }

    package func discard(_ prepared: PreparedCharge) async throws(TillError) {
        do throws(StripeFailure) {
            _ = try await api.withdraw(prepared.reference)
        } catch .refused {
            // It has ended in the meantime.
        } catch {
            throw TillError(.unavailable, "Stripe did not cancel \(prepared.reference): \(error.reason).")
        }
    }

    private func read<Object>(_ call: StripeCall) async throws(TillError) -> StripeList<Object> {
        do throws(StripeFailure) {
            return try await api.send(call, as: StripeList<Object>.self)
        } catch {
            throw TillError(.unavailable, "Stripe's record cannot be read: \(error.reason).")
        }
    }

    /// What the payer's bank took back, in Stripe's unit. A payment has few disputes.
    private func lostDisputes(of intent: String) async throws(TillError) -> Int64 {
        let fields = [
            ("payment_intent", intent), ("limit", "\(StripeList<StripeReversal>.limit)"),
            ("expand[]", "data.payment_intent"),
        ]
        let disputes: StripeList<StripeReversal> = try await read(.get("/v1/disputes", "", fields))
        return disputes.data.filter { $0.status(of: .disputes) == .succeeded }.reduce(0) { $0 + $1.amount }
    }

    /// Adds a payment of this ledger's, unless nothing was paid. What is prepared waits for its confirmation; the payment of
    /// a page waits for its payer, and ends with the page.
    private func add(_ intent: PaymentIntent, to page: inout ProviderRecordPage) async throws(TillError) {
        guard let id = Metadata.payment(intent.metadata, ofLedger: configuration.ledger) else {
            return
        }
        switch intent.status {
        case "succeeded": page.charges.append(try await charge(intent, of: id))
        case "requires_confirmation": page.prepared.append(PreparedCharge(paymentID: id, reference: intent.id))
        default: break
        }
    }

    private func charge(_ intent: PaymentIntent, of payment: UUID) async throws(TillError) -> ProviderCharge {
        let paid = StripeAmount(amount: intent.amountReceived, currency: intent.currency)
        let lost = intent.isDisputed ? try await lostDisputes(of: intent.id) : 0
        let returned = StripeAmount(amount: intent.refunded + lost, currency: intent.currency)
        return ProviderCharge(
            paymentID: payment,
            // Nobody asked for an amount that is not a whole number of minor units.
            amount: paid.minorUnits ?? -1,
            currency: intent.currency.uppercased(),
            reference: intent.id,
            refunded: returned.minorUnits ?? -1
        )
    }
}

/// Where the record continues. Stripe lists the newest payments first, and continues after an object.
struct RecordCursor: Hashable, Sendable {
    /// Unix time: payments that were made later are left to the next comparison.
    var end: Int64
    /// The last object that was read; nil before the first.
    var last: String?

    init(end: Int64, last: String?) {
        self.end = end
        self.last = last
    }

    /// - Parameter text: As ``text`` gives it; nil for the first page.
    init(_ text: String?, now: Date) {
        let parts = text?.split(separator: " ", maxSplits: 1) ?? []
        end = parts.first.flatMap { Int64($0) } ?? Int64(now.timeIntervalSince1970)
        last = parts.dropFirst().first.map(String.init)
    }

    var text: String {
        "\(end) \(last ?? "")"
    }
}
