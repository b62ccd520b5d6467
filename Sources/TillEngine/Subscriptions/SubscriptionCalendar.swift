import FoundationEssentials
import TillModel

#if MUTANTS
    import Mutants
#endif

/// How long periods last: by the Gregorian calendar in UTC, or at a test store's rate.
struct SubscriptionCalendar {
    var rate: TimeRate

    private static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// The end of `count` periods from `start`.
    ///
    /// - Parameter anchor: The start that days of the month are counted from: a subscription that began on a 31st
    ///   renews on the last day of a shorter month, and on the 31st again after it.
    func end(of period: SubscriptionPeriod, count: Int = 1, from start: Date, anchor: Date) -> Date {
        if let duration = rate.duration(of: period) {
            return start.addingTimeInterval((duration * count).timeInterval).roundedToMilliseconds
        }
        switch period.unit {
        case .day: return days(period.value * count, from: start)
        case .week: return days(7 * period.value * count, from: start)
        case .month: return months(period.value * count, from: start, anchor)
        case .year: return months(12 * period.value * count, from: start, anchor)
        }
    }

    /// Whether the next end depends on the anchor's day: only on the last day of a month, which may replace a later day
    /// of the anchor.
    func needsAnchor(from start: Date) -> Bool {
        rate == .realTime && Self.day(start) == Self.lastDay(ofMonthOf: start)
    }

    private func days(_ count: Int, from start: Date) -> Date {
        let end = start.addingTimeInterval(TimeInterval(count) * 86400)
        #if MUTANTS
            if Mutant.datesNotRounded.isPlanted {
                return end
            }
        #endif
        return end.roundedToMilliseconds
    }

    private func months(_ count: Int, from start: Date, _ anchor: Date) -> Date {
        // The calendar shortens to the last day of the month.
        guard let end = Self.utc.date(byAdding: .month, value: count, to: start) else {
            return days(30 * count, from: start)
        }
        let day = min(max(Self.day(anchor), Self.day(start)), Self.lastDay(ofMonthOf: end))
        return days(max(0, day - Self.day(end)), from: end)
    }

    private static func day(_ date: Date) -> Int {
        utc.component(.day, from: date)
    }

    private static func lastDay(ofMonthOf date: Date) -> Int {
        utc.range(of: .day, in: .month, for: date)?.last ?? 31
    }
}

extension SubscriptionCalendar {
    /// The end of a product's period, or of the offer that prices it: a trial and an up-front payment are as long as
    /// all of the offer's periods.
    func end(of product: Product, offer: SubscriptionOffer?, from start: Date, anchor: Date) -> Date? {
        guard let period = product.subscription?.period else {
            return nil
        }
        guard let offer, offer.paymentMode != .payAsYouGo else {
            return end(of: period, from: start, anchor: anchor)
        }
        return end(of: offer.period, count: max(1, offer.periodCount), from: start, anchor: anchor)
    }

    /// A period that was paid for, and its unit; nil when the unit is no longer known.
    typealias CountedTerm = (term: TermRecord, unit: SubscriptionPeriod.Unit?)

    /// The start that a subscription's days are counted from: the start of the last period that did not follow another
    /// one, or that followed a period of days or weeks, which does not keep the day of the month.
    ///
    /// - Parameter terms: In order.
    static func anchor(of terms: some Sequence<CountedTerm>, after earlier: (anchor: Date, end: Date)?) -> (
        anchor: Date, end: Date
    )? {
        terms.reduce(earlier) { last, paid in
            let (term, unit) = paid
            guard unit != .day, unit != .week else {
                return (term.end, term.end)
            }
            guard let last, term.isRenewal, term.start == last.end else {
                return (term.start, term.end)
            }
            return (last.anchor, term.end)
        }
    }
}
