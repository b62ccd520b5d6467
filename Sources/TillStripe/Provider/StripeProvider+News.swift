import FoundationEssentials
package import TillEngine
package import TillModel

/// Refunds and disputes that Till did not ask for, and changes of payment methods.
///
/// Events tell of them within a minute, and only which object to fetch: nothing else in an event is read, so that their order,
/// number and age cannot matter. A daily sweep finds the refunds and disputes that no event told.
extension StripeProvider {
    package func news(after text: String?) async throws(TillError) -> ProviderNews? {
        let now = Int64(time.now().timeIntervalSince1970)
        var cursor = NewsCursor(text, now: now)
        do throws(StripeFailure) {
            let found: [Found]
            var changed = PaymentMethodChanges()
            if let sweep = cursor.sweep {
                found = try await page(of: sweep, &cursor)
            } else {
                found = try await eventObjects(&cursor, now: now)
                changed = await paymentMethodChanges(&cursor, now: now)
            }
            return ProviderNews(
                reversals: found.sorted { $0.object.created < $1.object.created }.compactMap { kind, object in
                    object.reversal(kind, ofLedger: configuration.ledger)
                },
                methods: changed.found,
                cursor: cursor.text,
                isMore: cursor.sweep != nil || cursor.nextSweep <= now || changed.isMore
            )
        } catch {
            throw TillError(.unavailable, "Stripe's refunds and disputes cannot be read: \(error.reason).")
        }
    }

    private typealias Found = (kind: StripeReversal.Kind, object: StripeReversal)

    private func page(of sweep: NewsCursor.Sweep, _ cursor: inout NewsCursor) async throws(StripeFailure) -> [Found] {
        let age = NewsCursor.sweepAges[sweep.kind] ?? 0
        var fields = [
            ("limit", "\(StripeList<StripeReversal>.limit)"), ("created[gte]", "\(sweep.began - age)"),
            ("expand[]", "data.payment_intent"),
        ]
        if let last = sweep.last {
            fields.append(("starting_after", last))
        }
        let page = try await api.send(.get(sweep.kind.rawValue, "", fields), as: StripeList<StripeReversal>.self)
        let last = page.hasMore ? page.data.last?.id : nil
        cursor.advance(sweep, to: last == sweep.last ? nil : last)
        return page.data.map { (sweep.kind, $0) }
    }

    /// Fetches the objects that events were about.
    private func eventObjects(_ cursor: inout NewsCursor, now: Int64) async throws(StripeFailure) -> [Found] {
        let types = [
            "refund.created", "refund.updated", "refund.failed", "charge.dispute.created", "charge.dispute.updated",
            "charge.dispute.closed",
        ]
        let page = try await events(types, since: cursor.events)
        var objects: [String: StripeReversal.Kind] = [:]
        for event in page.data {
            objects[event.data.object.id] = StripeReversal.Kind(eventType: event.type)
        }
        guard !page.hasMore, objects.count <= NewsCursor.eventsMaximum else {
            cursor.nextSweep = now
            return []
        }
        var found: [Found] = []
        for (id, kind) in objects {
            let call = StripeCall.get("\(kind.rawValue)/*", id, [("expand[]", "payment_intent")])
            found.append((kind, try await api.send(call, as: StripeReversal.self)))
        }
        cursor.events = now
        return found
    }

    /// The newest events of the types, and those that Stripe may list late.
    func events(_ types: [String], since time: Int64) async throws(StripeFailure) -> StripeList<StripeEvent> {
        let fields =
            types.map { ("types[]", $0) } + [
                ("limit", "\(StripeList<StripeEvent>.limit)"), ("created[gte]", "\(time - NewsCursor.overlap)"),
            ]
        return try await api.send(.get("/v1/events", "", fields), as: StripeList<StripeEvent>.self)
    }
}
