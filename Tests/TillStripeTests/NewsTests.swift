import StripeStandIn
import Testing
import TillEngine
import TillModel

@testable import TillStripe

/// What Stripe's refunds and disputes mean that Till did not ask for.
@Suite(.timeLimit(.minutes(5))) struct NewsTests {
    /// A day, after which a sweep finds what no event told.
    private static let day = Duration.seconds(86_400)

    @Test(arguments: [
        nil, 100,
    ])
    func aRefundMadeInTheDashboardIsRecorded(amount: Int?) async throws {
        try await StripeSite.with { site in
            let reader = try await NewsReader(site)
            let request = StripeSite.request()
            let id = try site.control.refundInDashboard(try await site.purchase(request), amount: amount)
            #expect(
                try await reader.read() == [
                    ProviderReversal(
                        reference: id,
                        kind: .refund(nil),
                        status: .succeeded,
                        paymentID: request.paymentID,
                        amount: Int64(amount ?? 499),
                        currency: "EUR"
                    )
                ]
            )
        }
    }

    @Test(arguments: [
        ("requires_action", ProviderReversal.Status.pending), ("succeeded", .succeeded), ("failed", .failed),
        ("canceled", .failed),
    ])
    func aRefundOfOursIsFollowed(status: String, expected: ProviderReversal.Status) async throws {
        try await StripeSite.with { site in
            let reader = try await NewsReader(site)
            let request = StripeSite.request()
            let refund = site.refund(of: try await site.purchase(request, with: "pm_card_pendingRefund"))
            #expect(await site.provider.refund(refund) == .pending)
            #expect(try await reader.read().map(\.status) == [.pending])
            try site.control.settleRefund(try #require(try await site.latestRefund), status)
            let news = try await reader.read()
            #expect(news.map(\.status) == [expected])
            #expect(news.map(\.kind) == [.refund(refund.refundID)])
        }
    }

    @Test(
        arguments: [
            (true, nil, .pending), (true, "warning_closed", .failed),
            (true, "prevented", .failed), (false, nil, .withheld), (false, "lost", .succeeded), (false, "won", .failed),
        ] as [(Bool, String?, ProviderReversal.Status)]
    )
    func aDisputeIsFollowed(isInquiry: Bool, end: String?, status: ProviderReversal.Status) async throws {
        try await StripeSite.with { site in
            let reader = try await NewsReader(site)
            let payment = try await site.purchase()
            let dispute = try site.control.openDispute(payment, isInquiry: isInquiry)
            if let end {
                try site.control.closeDispute(dispute, end)
            }
            let news = try await reader.read()
            #expect(news.map(\.reference) == [dispute] && news.map(\.kind) == [.dispute])
            #expect(news.map(\.status) == [status])
        }
    }

    @Test func anInquiryMayBecomeADispute() async throws {
        try await StripeSite.with { site in
            let reader = try await NewsReader(site)
            let dispute = try site.control.openDispute(try await site.purchase(), isInquiry: true)
            #expect(try await reader.read().map(\.status) == [.pending])
            try site.control.escalateDispute(dispute)
            #expect(try await reader.read().map(\.status) == [.withheld])
        }
    }

    /// An event names an object, and the object counts.
    @Test func theContentOfAnEventIsNotBelieved() async throws {
        try await StripeSite.with { site in
            let reader = try await NewsReader(site)
            let dispute = try site.control.openDispute(try await site.purchase(), isInquiry: false)
            let events = try await site.api.send(.get("/v1/events"), as: StripeList<StripeEvent>.self).data
            let lies = events.filter { $0.data.object.id == dispute }
            #expect(!lies.isEmpty)
            for event in lies {
                try site.control.overwrite(event.id, "data", ["object": ["id": .string(dispute), "status": "lost"]])
            }
            #expect(try await reader.read().map(\.status) == [.withheld])
        }
    }

    @Test func whatNoEventToldIsFoundWithinADay() async throws {
        try await StripeSite.with({ $0.events.droppedTypes = ["*"] }) { site in
            let reader = try await NewsReader(site)
            let first = try site.control.refundInDashboard(try await site.purchase())
            let second = try site.control.openDispute(try await site.purchase(), isInquiry: false)
            #expect(try await reader.read().isEmpty)
            site.control.advance(by: Self.day)
            #expect(try await reader.read().map(\.reference) == [first, second])
        }
    }

    @Test(arguments: [600, 259_200])
    func anEventThatIsListedLateLosesNothing(delay: Int) async throws {
        try await StripeSite.with({ $0.events.delay = delay }) { site in
            let reader = try await NewsReader(site)
            let refund = try site.control.refundInDashboard(try await site.purchase())
            #expect(try await reader.read().isEmpty)
            var found: [String] = []
            for _ in 0..<delay / 86_400 + 2 {
                site.control.advance(by: delay < 86_400 ? .seconds(300) : Self.day)
                found += try await reader.read().map(\.reference)
            }
            #expect(Set(found) == [refund])
        }
    }

    /// More than a page of refunds, while the daemon was away for longer than Stripe keeps events.
    @Test func aSweepReadsAllPages() async throws {
        try await StripeSite.with { site in
            let reader = try await NewsReader(site)
            let payment = try await site.purchase(StripeSite.request(amount: 50_000))
            var refunds: [String] = []
            for _ in 0..<230 {
                refunds.append(try site.control.refundInDashboard(payment, amount: 1))
            }
            site.control.advance(by: .seconds(40 * 86_400))
            #expect(try await reader.read().map(\.reference).sorted() == refunds.sorted())
            let calls = site.control.requests().filter { $0.path == "/v1/refunds" && $0.method == "GET" }
            #expect(calls.count == 4, "one of an empty record, and three pages")
        }
    }

    /// Each of many events at once would be a call of its own.
    @Test func manyEventsAtOnceAreLeftToASweep() async throws {
        try await StripeSite.with { site in
            let reader = try await NewsReader(site)
            let payment = try await site.purchase()
            for _ in 0...NewsCursor.eventsMaximum {
                _ = try site.control.refundInDashboard(payment, amount: 1)
            }
            #expect(try await reader.read().count == NewsCursor.eventsMaximum + 1)
            #expect(!site.requests.contains("GET /v1/refunds/*"))
        }
    }

    @Test func paymentsOfOtherProgramsAreIgnored() async throws {
        try await StripeSite.with { site in
            let reader = try await NewsReader(site)
            let payment = try await site.purchase()
            try site.control.overwrite(payment, "metadata", ["order": "17"])
            _ = try site.control.refundInDashboard(payment)
            #expect(try await reader.read().isEmpty)
        }
    }

    @Test func withoutAnAnswerTheCursorStays() async throws {
        try await StripeSite.with { site in
            let reader = try await NewsReader(site)
            let refund = try site.control.refundInDashboard(try await site.purchase())
            site.control.addFault(Fault(.reset(.before), path: "/v1/events", count: 9))
            await #expect(throws: TillError.self) { _ = try await reader.read() }
            site.control.clearFaults()
            #expect(try await reader.read().map(\.reference) == [refund])
        }
    }

    @Test(arguments: ["", "{}", "7", #"{"events":9223372036854775807,"nextSweep":9223372036854775807}"#])
    func aCursorThatCannotBeUsedStartsAgain(text: String) {
        let cursor = NewsCursor(text, now: 1_800_000_000)
        #expect(cursor.events <= 1_800_000_000)
        #expect(cursor.sweep != nil || cursor.nextSweep <= 1_800_000_000 + NewsCursor.sweepInterval)
    }
}

/// Reads news page by page, as the engine does.
final class NewsReader {
    private let provider: StripeProvider
    private var cursor: String?
    /// The changes of payment methods that came with what was read last.
    private(set) var methods: [PaymentMethodChange] = []

    /// Reads what there is at the start.
    init(_ site: StripeSite) async throws {
        provider = site.provider
        _ = try await read()
    }

    func read() async throws -> [ProviderReversal] {
        var reversals: [ProviderReversal] = []
        methods = []
        while let news = try await provider.news(after: cursor) {
            reversals += news.reversals
            methods += news.methods
            cursor = news.cursor
            guard news.isMore else {
                break
            }
        }
        return reversals
    }
}
