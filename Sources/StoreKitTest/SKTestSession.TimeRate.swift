extension SKTestSession {
    /// How fast subscriptions renew
    /// (https://developer.apple.com/documentation/storekittest/sktestsession/timerate-swift.enum).
    public enum TimeRate: Int, Hashable, Sendable, CaseIterable {
        /// Subscriptions renew by the calendar.
        case realTime = 0
        case oneHourIsOneDay = 1
        case thirtyMinutesIsOneDay = 2
        case fiveMinutesIsOneDay = 3
        case oneMinuteIsOneDay = 4
        case thirtySecondsIsOneDay = 5
        case oneSecondIsOneDay = 6
        /// A month takes an hour, a week a quarter of one.
        case monthlyRenewalEveryHour = 10
        /// A month takes 30 minutes, a week 10.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A month takes 15 minutes, a week 5.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A month takes 5 minutes, a week 3.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A month takes 30 seconds, a week 10.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every period takes 15 minutes.
        case oneRenewalEveryFifteenMinutes = 1000
        case oneRenewalEveryFiveMinutes = 1001
        case oneRenewalEveryMinute = 1002
        case oneRenewalEveryThirtySeconds = 1003
        case oneRenewalEveryTenSeconds = 1004
        case oneRenewalEveryTwoSeconds = 1005
    }
}
