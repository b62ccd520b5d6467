import FoundationEssentials
import StripeStandIn
import TillEngine
import TillModel

/// How Till learns of what it did not ask for, and compares the books.
extension Check {
    static let news = [
        Check("events", "Events are listed newest first, of the types that were asked for.") { run in
            let payment = try await run.pay()
            let refund = try run.id(of: try await run.refund(payment))
            try await run.event("refund.created", about: refund)
            let types = ["refund.created", "refund.updated", "refund.failed", "charge.dispute.created"]
            let since = Int(run.account.time.now().timeIntervalSince1970) - 3600
            let fields = types.map { ("types[]", $0) } + [("limit", "100"), ("created[gte]", "\(since)")]
            let list = try await run.get("/v1/events", "", fields)
            run.expect(list, 200, ["object": "list", "data.0.object": "event"])
            let events = list.json["data"].array
            let times = events.compactMap { $0["created"].int }
            run.expect("\(list.call): order of created", times, times.sorted(by: >))
            let others = Set(events.compactMap { $0["type"].string }).subtracting(types)
            run.expect("\(list.call): other types", others, [])
        },
        Check("news", "Till finds a refund that was made elsewhere.") { run in
            // All older refunds and disputes are read, so that an event tells of the new one.
            let cursor = try await run.newsCursor()
            let request = run.account.request()
            let payment = try await run.pay("pm_card_visa", run.metadata(request))
            let refund = try run.id(of: try await run.refund(payment, [("amount", "200")]))
            let found = try await run.reversal(refund, after: cursor)
            run.expect("news: payment", found.paymentID, request.paymentID)
            run.expect("news: kind", found.kind, .refund(nil))
            run.expect("news: status", found.status, .succeeded)
            run.expect("news: amount", "\(found.amount) \(found.currency)", "200 EUR")
        },
        Check("record", "Till finds its payments in Stripe's list, with what was refunded.") { run in
            let request = run.account.request()
            let payment = try await run.pay("pm_card_visa", run.metadata(request))
            run.expect(try await run.refund(payment, [("amount", "200")]), 200)
            let other = run.account.request()
            let prepared = try await run.prepare("pm_card_visa", run.metadata(other))
            let charge = try await run.recorded(request, prepared)
            run.expect("record: reference", charge.reference, payment)
            run.expect("record: amount", charge.amount, 500)
            run.expect("record: refunded", charge.refunded, 200)
            try await run.account.provider.discard(PreparedCharge(paymentID: other.paymentID, reference: prepared))
            run.expect(try await run.get("\(CheckRun.intents)/*", prepared), 200, ["status": "canceled"])
        },
    ]
}

extension CheckRun {
    /// How many pages are read to find a new object.
    private static let pagesMaximum = 20

    /// Expects an event about an object, by the question that Till asks.
    func event(_ type: String, about object: String) async throws {
        let since = Int(account.time.now().timeIntervalSince1970) - 3600
        let fields = [("types[]", type), ("limit", "100"), ("created[gte]", "\(since)")]
        try await eventually("/v1/events", "", fields, "the event \(type) about the object") { answer in
            answer.json["data"].array.contains { event in
                event["type"].string == type && event["data"]["object"]["id"].string == object
            }
        }
    }

    /// The news about a refund or dispute.
    ///
    /// - Parameter start: Where the news begin; nil for all.
    func reversal(_ id: String, after start: String? = nil) async throws -> ProviderReversal {
        try await eventually("news", "news of \(id)") { _ in
            var found: ProviderReversal?
            try await self.readNews(after: start) { news in
                found = news.reversals.first { $0.reference == id }
                return found == nil
            }
            return found
        }
    }

    /// Where the news end.
    fileprivate func newsCursor() async throws -> String? {
        try await readNews(after: nil) { _ in true }
    }

    /// Reads news, and returns where they end.
    ///
    /// - Parameter isMoreNeeded: Says whether to continue after a page.
    @discardableResult
    private func readNews(after start: String?, _ isMoreNeeded: (ProviderNews) -> Bool) async throws -> String? {
        var cursor = start
        for _ in 0..<Self.pagesMaximum {
            guard let news = try await account.provider.news(after: cursor) else {
                break
            }
            cursor = news.cursor
            guard isMoreNeeded(news), news.isMore else {
                break
            }
        }
        return cursor
    }

    /// The charge of a payment in Stripe's list, which also has another payment that is prepared.
    fileprivate func recorded(_ request: ChargeRequest, _ prepared: String) async throws -> ProviderCharge {
        try await eventually("record", "the payment and the prepared one") { last in
            var charge: ProviderCharge?
            var isPrepared = false
            var cursor: String?
            for _ in 0..<Self.pagesMaximum {
                let page = try await self.account.provider.record(after: cursor)
                charge = charge ?? page.charges.first { $0.paymentID == request.paymentID }
                isPrepared = isPrepared || page.prepared.contains { $0.reference == prepared }
                if let charge, isPrepared {
                    return charge
                }
                guard let next = page.next else {
                    break
                }
                cursor = next
            }
            last = charge == nil ? "without the payment" : "without the prepared one"
            return nil
        }
    }
}
