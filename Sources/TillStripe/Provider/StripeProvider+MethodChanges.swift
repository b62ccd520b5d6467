import FoundationEssentials
import Logging
import TillEngine
import TillModel

/// Changes of payment methods that events tell of.
struct PaymentMethodChanges {
    /// The oldest first.
    var found: [PaymentMethodChange] = []
    /// Whether there are more.
    var isMore = false
}

extension StripeProvider {
    /// Follows the oldest events about customers that were not followed yet: another default payment method, or a new expiry
    /// date of one.
    ///
    /// Without an answer, the events are looked at again in the next round. They keep no refund or dispute back.
    func paymentMethodChanges(_ cursor: inout NewsCursor, now: Int64) async -> PaymentMethodChanges {
        let types = ["customer.updated", "payment_method.updated", "payment_method.automatically_updated"]
        var changes = PaymentMethodChanges()
        do throws(StripeFailure) {
            let listed = try await events(types, since: cursor.changes).data
            cursor.followed.removeAll { id in !listed.contains { $0.id == id } }
            let unknown = listed.reversed().filter { !cursor.followed.contains($0.id) }
            for event in unknown.prefix(NewsCursor.eventsMaximum) {
                if let change = try await change(event) {
                    changes.found.append(change)
                }
                cursor.followed.append(event.id)
            }
            changes.isMore = unknown.count > NewsCursor.eventsMaximum
            if !changes.isMore {
                cursor.changes = now
            }
        } catch {
            logger.notice(
                "Stripe's events about payment methods cannot be read",
                metadata: ["error": "\(error.reason)"]
            )
        }
        return changes
    }

    /// Fetches the payments of the customer that an event is about.
    ///
    /// - Returns: Nil if they are not of this ledger.
    private func change(_ event: StripeEvent) async throws(StripeFailure) -> PaymentMethodChange? {
        do throws(StripeFailure) {
            guard let customer = try await customer(ofObject: event.data.object.id) else {
                return nil
            }
            let fields = [("customer", customer), ("limit", "\(StripeList<PaymentIntent>.limit)")]
            let paid = try await api.send(
                .get("/v1/payment_intents", "", fields),
                as: StripeList<PaymentIntent>.self
            ).data
            let payments = paid.compactMap { Metadata.payment($0.metadata, ofLedger: configuration.ledger) }
            return payments.isEmpty ? nil : PaymentMethodChange(reference: event.id, payments: payments)
        } catch .refused(let error) where error.status == 404 {
            // It was deleted in the meantime.
            return nil
        }
    }

    private func customer(ofObject id: String) async throws(StripeFailure) -> String? {
        guard id.hasPrefix("pm_") else {
            return id
        }
        return try await api.send(.get("/v1/payment_methods/*", id), as: StripePaymentMethod.self).customer
    }
}
