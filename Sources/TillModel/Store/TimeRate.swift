/// The speed at which subscriptions renew in a test store: `SKTestSession.TimeRate`, by its raw values
/// (https://developer.apple.com/documentation/storekittest/sktestsession/timerate-swift.enum).
package enum TimeRate: Int, Hashable, Sendable, CaseIterable {
    case realTime = 0
    case oneHourIsOneDay = 1
    case thirtyMinutesIsOneDay = 2
    case fiveMinutesIsOneDay = 3
    case oneMinuteIsOneDay = 4
    case thirtySecondsIsOneDay = 5
    case oneSecondIsOneDay = 6
    case monthlyRenewalEveryHour = 10
    case monthlyRenewalEveryThirtyMinutes = 11
    case monthlyRenewalEveryFifteenMinutes = 12
    case monthlyRenewalEveryFiveMinutes = 13
    case monthlyRenewalEveryThirtySeconds = 15
    case oneRenewalEveryFifteenMinutes = 1000
    case oneRenewalEveryFiveMinutes = 1001
    case oneRenewalEveryMinute = 1002
    case oneRenewalEveryThirtySeconds = 1003
    case oneRenewalEveryTenSeconds = 1004
    case oneRenewalEveryTwoSeconds = 1005
}

extension TimeRate {
    /// The conversion of calendar units to seconds.
    private enum Pace {
        case calendar
        /// A day takes this long; a month has 30 days and a year 365.
        case day(Duration)
        /// A month takes this long and a year twelve times as long; a week has a separate length.
        case month(Duration, week: Duration)
        /// Every period takes this long.
        case every(Duration)
    }

    private var pace: Pace {
        switch self {
        case .realTime: .calendar
        case .oneHourIsOneDay: .day(.seconds(3600))
        case .thirtyMinutesIsOneDay: .day(.seconds(1800))
        case .fiveMinutesIsOneDay: .day(.seconds(300))
        case .oneMinuteIsOneDay: .day(.seconds(60))
        case .thirtySecondsIsOneDay: .day(.seconds(30))
        case .oneSecondIsOneDay: .day(.seconds(1))
        case .monthlyRenewalEveryHour: .month(.seconds(3600), week: .seconds(900))
        case .monthlyRenewalEveryThirtyMinutes: .month(.seconds(1800), week: .seconds(600))
        case .monthlyRenewalEveryFifteenMinutes: .month(.seconds(900), week: .seconds(300))
        case .monthlyRenewalEveryFiveMinutes: .month(.seconds(300), week: .seconds(180))
        case .monthlyRenewalEveryThirtySeconds: .month(.seconds(30), week: .seconds(10))
        case .oneRenewalEveryFifteenMinutes: .every(.seconds(900))
        case .oneRenewalEveryFiveMinutes: .every(.seconds(300))
        case .oneRenewalEveryMinute: .every(.seconds(60))
        case .oneRenewalEveryThirtySeconds: .every(.seconds(30))
        case .oneRenewalEveryTenSeconds: .every(.seconds(10))
        case .oneRenewalEveryTwoSeconds: .every(.seconds(2))
        }
    }

    /// The time between two renewals; nil in real time, where the calendar determines it.
    package func duration(of period: SubscriptionPeriod) -> Duration? {
        switch (pace, period.unit) {
        case (.calendar, _): nil
        case (.every(let time), _): time
        case (.day(let day), .day): day * period.value
        case (.day(let day), .week): day * 7 * period.value
        case (.day(let day), .month): day * 30 * period.value
        case (.day(let day), .year): day * 365 * period.value
        case (.month(_, let week), .day): week * period.value / 7
        case (.month(_, let week), .week): week * period.value
        case (.month(let month, _), .month): month * period.value
        case (.month(let month, _), .year): month * 12 * period.value
        }
    }

    /// The grace period of an unpaid subscription: 6 days for periods up to a week, otherwise 16 days, in the rate's
    /// time.
    package func gracePeriod(of period: SubscriptionPeriod) -> Duration {
        let isWeekly =
            switch period.unit {
            case .day: period.value <= 7
            case .week: period.value == 1
            case .month, .year: false
            }
        return switch pace {
        case .calendar: .seconds(86400) * (isWeekly ? 6 : 16)
        case .day(let day): day * (isWeekly ? 6 : 16)
        case .month(let month, let week): isWeekly ? week * 6 / 7 : month / 2
        case .every(let time): time
        }
    }

    /// How long the store retries an unpaid renewal: 60 days in the rate's time.
    package var billingRetryPeriod: Duration {
        switch pace {
        case .calendar: .seconds(86400) * 60
        case .day(let day): day * 60
        case .month(let time, _), .every(let time): time * 2
        }
    }
}
