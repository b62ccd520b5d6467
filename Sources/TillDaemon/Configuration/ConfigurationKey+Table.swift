import TTRPC
import TillDownloads
import TillEngine
import TillModel
import TillProviders

/// The table of keys. The options of `tilld`, the variables, the file, the errors, the manual page and the documentation
/// follow from it.
extension ConfigurationKey {
    /// Keys under a heading of the documentation.
    package struct Section: Sendable {
        package let title: String
        package let keys: [ConfigurationKey]
    }

    package static let all = sections.flatMap(\.keys)
    package static let sections = [
        files, access, store, deadlines, content, receipts, retention, limits, console, provider, simulated,
    ]
    /// The keys that are members of the file's object `simulated`.
    package static let simulatedKeys = simulated.keys
    /// All other keys.
    package static let daemonKeys = sections.dropLast().flatMap(\.keys)

    static subscript(name: String) -> ConfigurationKey? {
        all.first { $0.name == name }
    }

    /// Whether keys are members of an object of this name in the file.
    static func hasGroup(_ name: String) -> Bool {
        all.contains { $0.name.hasPrefix("\(name).") }
    }

    private static let store = Section(
        title: "Store",
        keys: [
            ConfigurationKey(
                "setting",
                .list,
                valueName: "name=value",
                help: "Override a store setting of the catalogue.",
                details: """
                    `till settings` lists the names and their values. Settings that begin with `provider-` are errors here: \
                    the simulated provider has keys of its own.
                    """
            ) { configuration, texts throws(TillError) in
                configuration.engine.settings = try StoreSettings.parse(texts)
            }
        ]
    )

    private static let deadlines = Section(
        title: "Deadlines",
        keys: [
            seconds(
                "approval-deadline",
                in: 1...year,
                for: \.engine.deadlines.approval,
                help: "Fail unanswered Ask to Buy payments after this many seconds."
            ),
            seconds(
                "authorization-deadline",
                in: 1...year,
                for: \.engine.deadlines.authorization,
                help: "Fail payments without the user's consent after this many seconds."
            ),
            seconds(
                "resolution-deadline",
                in: 1...year,
                for: \.engine.deadlines.resolution,
                help: "Fail waiting interrupted payments after this many seconds."
            ),
            seconds(
                "purchasing-deadline",
                in: 1...82_800,
                for: \.engine.purchasingDeadline,
                help: "Fail payments with an unknown outcome after this many seconds.",
                details: "Providers forget idempotency keys after 24 hours, so the maximum is 23 hours."
            ),
            seconds(
                "restore-deadline",
                in: 1...3_600,
                for: \.engine.restoreDeadline,
                help: "Fail a stalled restore after this many seconds."
            ),
            seconds(
                "download-deadline",
                in: 1...year,
                for: \.engine.downloadDeadline,
                help: "Fail a download after this many seconds.",
                details: "The time counts from when the download was started or resumed."
            ),
        ]
    )

    private static let content = Section(
        title: "Hosted content",
        keys: [
            contentDirectory,
            integer(
                "content-quota",
                IntegerRange(bounds: 1...tebibyte, unit: "bytes"),
                valueName: "bytes",
                for: \.engine.downloadQuota,
                help: "Limit the disk space of each account's content, in bytes."
            ),
            optionalInteger(
                "content-bandwidth",
                IntegerRange(
                    bounds: Int(DownloaderConfiguration.bandwidthMinimum)...tebibyte,
                    unit: "bytes per second",
                    allowsZero: true
                ),
                valueName: "bytes",
                for: \.downloads.bandwidth,
                help: "Limit the bandwidth of all downloads, in bytes per second."
            ),
            integer(
                "content-connections",
                IntegerRange(bounds: 1...64, unit: "connections"),
                valueName: "count",
                for: \.downloads.concurrentMaximum,
                help: "Limit the number of concurrent downloads."
            ),
        ]
    )

    private static let receipts = Section(
        title: "Receipts",
        keys: [
            choice(
                "receipt-environment",
                for: \.receiptEnvironment,
                help: "Write this store environment into receipts."
            ),
            optionalInteger(
                "receipt-app-id",
                IntegerRange(bounds: 1...Int.max, unit: ""),
                valueName: "number",
                for: \.receiptAppID,
                defaultText: "the catalogue's `_applicationInternalID`",
                help: "Write this App Store id of the application into receipts.",
                details: "The environment `Production` requires an id."
            ),
        ]
    )

    private static let retention = Section(
        title: "Retention",
        keys: [
            days(
                "retention",
                in: 1...36_500,
                for: \.engine.retention,
                help: "Remove finished purchases' receipts and histories after this many days.",
                details: """
                    It concerns finished consumables, repeated and restored purchases, and failed payments; 0 keeps them for good. \
                    Payments, charges, refunds and the audit log are never removed.
                    """
            )
        ]
    )

    private static let limits = Section(
        title: "Limits",
        keys: [
            optionalInteger(
                "requests-per-second",
                IntegerRange(bounds: 1...1_000_000, unit: "requests", allowsZero: true),
                valueName: "count",
                for: \.requestsPerSecond,
                help: "Limit the requests of each user per second.",
                details: "A user may send twice as many at once."
            ),
            integer(
                "frame-maximum",
                IntegerRange(bounds: 4_096...Frame.lengthMaximum, unit: "bytes"),
                valueName: "bytes",
                for: \.limits.frameLength,
                help: "Limit the length of received frames, in bytes."
            ),
        ]
    )

    private static let year = 365 * 24 * 3600
    private static let tebibyte = 1 << 40
}
