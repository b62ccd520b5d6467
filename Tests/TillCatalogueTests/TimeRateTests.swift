import Testing
import TillModel

@testable import TillCatalogue

struct TimeRateTests {
    @Test
    func rawValuesAreStoreKitTests() {
        #expect(
            TimeRate.allCases.map(\.rawValue) == [
                0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 15, 1000, 1001, 1002, 1003, 1004, 1005,
            ]
        )
    }

    /// The seconds for a week, a month, 2, 3 and 6 months, and a year; then the grace periods for a week and for other
    /// periods, and the billing retry period.
    @Test(
        arguments: [
            (.monthlyRenewalEveryHour, [900, 3600, 7200, 10800, 21600, 43200], 771, 1800, 7200),
            (.monthlyRenewalEveryThirtyMinutes, [600, 1800, 3600, 5400, 10800, 21600], 514, 900, 3600),
            (.monthlyRenewalEveryFifteenMinutes, [300, 900, 1800, 2700, 5400, 10800], 257, 450, 1800),
            (.monthlyRenewalEveryFiveMinutes, [180, 300, 600, 900, 1800, 3600], 154, 150, 600),
            (.monthlyRenewalEveryThirtySeconds, [10, 30, 60, 90, 180, 360], 9, 15, 60),
            (.oneRenewalEveryFifteenMinutes, [900, 900, 900, 900, 900, 900], 900, 900, 1800),
            (.oneRenewalEveryTwoSeconds, [2, 2, 2, 2, 2, 2], 2, 2, 4),
            (.oneSecondIsOneDay, [7, 30, 60, 90, 180, 365], 6, 16, 60),
            (.oneHourIsOneDay, [25200, 108_000, 216_000, 324_000, 648_000, 1_314_000], 21600, 57600, 216_000),
        ] as [(TimeRate, [Int], Int, Int, Int)]
    )
    func theRenewalClockMatchesXcodes(rate: TimeRate, periods: [Int], week: Int, other: Int, retry: Int) {
        let units: [(SubscriptionPeriod.Unit, Int)] = [
            (.week, 1), (.month, 1), (.month, 2), (.month, 3), (.month, 6), (.year, 1),
        ]
        let renewals = units.map { rate.duration(of: SubscriptionPeriod(unit: $0.0, value: $0.1)) }
        #expect(renewals == periods.map { .seconds($0) })
        #expect(rounded(rate.gracePeriod(of: SubscriptionPeriod(unit: .week, value: 1))) == week)
        #expect(rounded(rate.gracePeriod(of: SubscriptionPeriod(unit: .month, value: 1))) == other)
        #expect(rate.billingRetryPeriod == .seconds(retry))
    }

    @Test
    func inRealTimePeriodsFollowTheCalendar() {
        #expect(TimeRate.realTime.duration(of: SubscriptionPeriod(unit: .month, value: 1)) == nil)
        #expect(TimeRate.realTime.gracePeriod(of: SubscriptionPeriod(unit: .week, value: 1)) == .seconds(6 * 86400))
        #expect(TimeRate.realTime.gracePeriod(of: SubscriptionPeriod(unit: .year, value: 1)) == .seconds(16 * 86400))
        #expect(TimeRate.realTime.billingRetryPeriod == .seconds(60 * 86400))
    }

    @Test
    func sevenDaysAreAWeek() {
        let week = TimeRate.monthlyRenewalEveryHour.duration(of: SubscriptionPeriod(unit: .day, value: 7))
        #expect(week == .seconds(900))
        #expect(TimeRate.realTime.gracePeriod(of: SubscriptionPeriod(unit: .day, value: 7)) == .seconds(6 * 86400))
    }

    private func rounded(_ duration: Duration) -> Int {
        Int((duration / .seconds(1)).rounded())
    }
}
