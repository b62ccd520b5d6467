import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// How long periods last.
@Suite struct SubscriptionCalendarTests {
    private static let month = SubscriptionPeriod(unit: .month, value: 1)
    private static let year = SubscriptionPeriod(unit: .year, value: 1)

    private static func date(_ text: String) throws -> Date {
        try Date("\(text)T23:59:58Z", strategy: .iso8601)
    }

    @Test(arguments: [
        ("2027-01-31", month, ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]),
        ("2027-12-30", month, ["2028-01-30", "2028-02-29", "2028-03-30"]),
        ("2027-01-29", month, ["2027-02-28", "2027-03-29"]),
        ("2027-02-28", month, ["2027-03-28", "2027-04-28"]),
        ("2028-02-29", year, ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]),
        ("2027-11-30", SubscriptionPeriod(unit: .month, value: 3), ["2028-02-29", "2028-05-30"]),
        ("2027-12-31", SubscriptionPeriod(unit: .week, value: 1), ["2028-01-07", "2028-01-14"]),
        ("2028-02-28", SubscriptionPeriod(unit: .day, value: 3), ["2028-03-02"]),
    ])
    func inRealTimeTheDayOfTheMonthIsKept(start: String, period: SubscriptionPeriod, ends: [String]) throws {
        let calendar = SubscriptionCalendar(rate: .realTime)
        let anchor = try Self.date(start)
        var from = anchor
        for end in ends {
            from = calendar.end(of: period, from: from, anchor: calendar.needsAnchor(from: from) ? anchor : from)
            #expect(from == (try Self.date(end)))
        }
    }

    @Test(arguments: [
        (TimeRate.monthlyRenewalEveryHour, month, 1, 3600.0), (.monthlyRenewalEveryHour, month, 3, 10800),
        (.monthlyRenewalEveryThirtySeconds, year, 1, 360), (.oneRenewalEveryTwoSeconds, year, 1, 2),
        (.oneSecondIsOneDay, month, 1, 30),
    ])
    func atATestRateAPeriodIsSoLong(rate: TimeRate, period: SubscriptionPeriod, count: Int, seconds: Double) {
        let start = SubscriptionSamples.start
        let end = SubscriptionCalendar(rate: rate).end(of: period, count: count, from: start, anchor: start)
        #expect(end.timeIntervalSince(start) == seconds)
    }

    /// The ledger keeps milliseconds, and observers get the same dates. From 2038-01-19 on, 2^31 seconds after 1970,
    /// the calendar's arithmetic is a fraction of a microsecond off.
    @Test(arguments: [month, SubscriptionPeriod(unit: .week, value: 1), SubscriptionPeriod(unit: .year, value: 1)])
    func everyEndIsAWholeMillisecond(period: SubscriptionPeriod) throws {
        let calendar = SubscriptionCalendar(rate: .realTime)
        let first = try Self.date("2036-01-14")
        let ends = stride(from: 0, to: 1000, by: 7).flatMap { milliseconds in
            let start = first.addingTimeInterval(Double(milliseconds) / 1000).roundedToMilliseconds
            return (1...48).map { calendar.end(of: period, count: $0 * 3, from: start, anchor: start) }
        }
        #expect(ends.filter { $0 != $0.roundedToMilliseconds } == [])
    }

    @Test(arguments: [
        ("silver", Optional("winter"), 90.0), ("silver", nil, 31.0), ("silver", Optional("spring"), 31.0),
        ("bronze", nil, 365.0),
    ])
    func anUpFrontPaymentIsOneLongPeriod(id: String, offer: String?, days: Double) throws {
        let product = try #require(SubscriptionSamples.product(id))
        let start = SubscriptionSamples.start
        let end = SubscriptionCalendar(rate: .realTime).end(
            of: product,
            offer: offer.flatMap(product.promotionalOffer),
            from: start,
            anchor: start
        )
        #expect(SubscriptionSamples.days(end) == days)
    }

    @Test
    func theAnchorIsTheStartOfTheLastPeriodThatFollowedNoOther() throws {
        let terms = try [
            ("2027-01-31", "2027-02-28", false), ("2027-02-28", "2027-03-31", true),
            // After a while without payment.
            ("2027-05-30", "2027-06-30", true), ("2027-06-30", "2027-07-30", true),
        ].map { start, end, isRenewal in
            Self.term(try Self.date(start), try Self.date(end), isRenewal: isRenewal, .month)
        }
        let first = SubscriptionCalendar.anchor(of: terms.prefix(2), after: nil)
        #expect(first?.anchor == (try Self.date("2027-01-31")))
        let all = SubscriptionCalendar.anchor(of: terms.dropFirst(2), after: first)
        #expect(all?.anchor == (try Self.date("2027-05-30")))
    }

    @Test(arguments: [
        ("2027-01-28", SubscriptionPeriod(unit: .day, value: 3), ["2027-01-31", "2027-02-28", "2027-03-31"]),
        ("2027-03-31", SubscriptionPeriod(unit: .day, value: 30), ["2027-04-30", "2027-05-30"]),
        ("2027-01-17", SubscriptionPeriod(unit: .week, value: 2), ["2027-01-31", "2027-02-28", "2027-03-31"]),
        ("2027-03-31", month, ["2027-04-30", "2027-05-31"]),
    ])
    func afterATrialInDaysTheDayOfTheMonthIsThatOfItsEnd(start: String, trial: SubscriptionPeriod, ends: [String])
        throws
    {
        let calendar = SubscriptionCalendar(rate: .realTime)
        var from = try Self.date(start)
        var terms: [SubscriptionCalendar.CountedTerm] = []
        for expected in ends {
            let period = terms.isEmpty ? trial : Self.month
            let anchor = calendar.needsAnchor(from: from) ? SubscriptionCalendar.anchor(of: terms, after: nil) : nil
            let end = calendar.end(of: period, from: from, anchor: anchor?.anchor ?? from)
            #expect(end == (try Self.date(expected)))
            terms.append(Self.term(from, end, isRenewal: !terms.isEmpty, period.unit))
            from = end
        }
    }

    private static func term(
        _ start: Date,
        _ end: Date,
        isRenewal: Bool,
        _ unit: SubscriptionPeriod.Unit
    ) -> SubscriptionCalendar.CountedTerm {
        (TermRecord(subscription: 7, groupID: "news", start: start, end: end, isRenewal: isRenewal), unit)
    }
}
