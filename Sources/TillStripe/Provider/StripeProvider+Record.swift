import FoundationEssentials
import NIOConcurrencyHelpers
package import TillEngine
package import TillModel

extension StripeProvider {
    /// Where a scan of the record has come to. Stripe lists the newest first, and continues after an object.
    struct RecordPosition: Sendable {
        /// How many charges were read before.
        var offset = 0
        /// Payments that were made later are left to the next scan.
        var end: Int64
        /// The last object that was read.
        var last: String?
        var isAtEnd = false
        /// Charges that were read and not returned.
        var rest: ArraySlice<ProviderCharge> = []
    }

    package func recordedCharges(from offset: Int, limit: Int) async throws(TillError) -> [ProviderCharge] {
        var position =
            recordPosition.withLockedValue { $0.flatMap { $0.offset == offset ? $0 : nil } }
            ?? RecordPosition(end: Int64(time.now().timeIntervalSince1970))
        while position.offset < offset {
            try await advance(&position, by: offset - position.offset)
            guard !position.isAtEnd || !position.rest.isEmpty else {
                break
            }
        }
        let found = try await advance(&position, by: limit)
        recordPosition.withLockedValue { $0 = position }
        return found
    }

    /// Reads the next charges, fewer only at the end.
    @discardableResult
    private func advance(_ position: inout RecordPosition, by count: Int) async throws(TillError) -> [ProviderCharge] {
        while position.rest.count < count, !position.isAtEnd {
            let page = try await page(after: position)
            for intent in page.data {
                if let charge = try await providerCharge(intent) {
                    position.rest.append(charge)
                }
            }
            position.isAtEnd = !page.hasMore || page.data.last == nil
            position.last = page.data.last?.id ?? position.last
        }
        let found = Array(position.rest.prefix(count))
        position.rest = position.rest.dropFirst(count)
        position.offset += found.count
        return found
    }

    private func page(after position: RecordPosition) async throws(TillError) -> StripeList<PaymentIntent> {
        var fields = [
            ("limit", "\(StripeList<PaymentIntent>.limit)"), ("created[lte]", "\(position.end)"),
            ("expand[]", "data.latest_charge"),
        ]
        if let last = position.last {
            fields.append(("starting_after", last))
        }
        return try await read(.get("/v1/payment_intents", "", fields))
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

    /// The charge of a payment that this ledger made; nil for any other, and as long as nothing was paid.
    private func providerCharge(_ intent: PaymentIntent) async throws(TillError) -> ProviderCharge? {
        guard intent.status == "succeeded", intent.metadata[Metadata.ledger] == configuration.ledger.text,
            let id = intent.metadata[Metadata.payment].flatMap(UUID.init(uuidString:))
        else {
            return nil
        }
        let paid = StripeAmount(amount: intent.amountReceived, currency: intent.currency)
        let lost = intent.isDisputed ? try await lostDisputes(of: intent.id) : 0
        let returned = StripeAmount(amount: intent.refunded + lost, currency: intent.currency)
        return ProviderCharge(
            paymentID: id,
            // Nobody asked for an amount that is not a whole number of minor units.
            amount: paid.minorUnits ?? -1,
            currency: intent.currency.uppercased(),
            reference: intent.id,
            refunded: returned.minorUnits ?? -1
        )
    }
}
