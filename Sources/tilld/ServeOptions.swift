import ArgumentParser
import Foundation
import Logging
import TillDaemon
import TillModel

/// The daemon's options. Lists are given with commas, or by naming the option again; catalogues only by the latter, for
/// the name of a file may have commas.
struct ServeOptions: ParsableArguments {
    @Option(
        name: .customLong("catalogue"),
        help: .init("An Xcode .storekit file with products; may be repeated.", valueName: "file")
    )
    var catalogues: [String] = []

    @Option(
        help: .init("Where the ledger is kept (default: $XDG_STATE_HOME/till; root: /var/lib/till).", valueName: "dir")
    )
    var state: String?

    @Option(
        help: .init(
            "The socket to serve (default: $XDG_RUNTIME_DIR/till/till.sock; root: /run/till/till.sock).",
            valueName: "path"
        )
    )
    var socket: String?

    @Option(help: .init("A JSON file with options.", valueName: "file"))
    var config: String?

    @Option(
        help: .init(
            "A JSON file that says who may do what, in place of --allow-users, --operators and --approvers.",
            valueName: "file"
        )
    )
    var policy: String?

    @Option(help: .init("Users besides the daemon's own who may use it: numeric ids, or all.", valueName: "uids"))
    var allowUsers: [String] = []

    @Option(
        help: .init("Users besides the daemon's own who may inspect and change everything.", valueName: "uids")
    )
    var operators: [String] = []

    @Option(help: .init("Users besides those who answer for buyers: Ask to Buy.", valueName: "uids"))
    var approvers: [String] = []

    @Option(
        name: .customLong("setting"),
        help: .init(
            "How the store behaves, over what the catalogue says; till settings lists them, but for provider-….",
            valueName: "name=value"
        )
    )
    var settings: [String] = []

    @Option(help: .init("Fail Ask to Buy after this long (default: 86400).", valueName: "seconds"))
    var approvalDeadline: String?

    @Option(help: .init("Fail a payment that awaits consent after this long (default: 600).", valueName: "seconds"))
    var authorizationDeadline: String?

    @Option(
        help: .init("Fail an interrupted payment that waits after this long (default: 86400).", valueName: "seconds")
    )
    var resolutionDeadline: String?

    @Option(help: .init("Accounts that may not pay, for example uid:1001.", valueName: "accounts"))
    var denyPayments: [String] = []

    @Option(
        help: .init("Give up an unknown charge after this long, 1 to 82800 (default: 82800).", valueName: "seconds")
    )
    var purchasingDeadline: String?

    @Option(
        help: .init(
            "Fail a restore that gets no further after this long, 1 to 3600 (default: 60).",
            valueName: "seconds"
        )
    )
    var restoreDeadline: String?

    @Option(
        help: .init(
            "Where hosted content is kept (default: content in the state directory; root: /var/cache/till).",
            valueName: "dir"
        )
    )
    var content: String?

    @Option(help: .init("What an account's content may take of the disk (default: 10737418240).", valueName: "bytes"))
    var contentQuota: String?

    @Option(
        help: .init(
            "Bytes a second of all downloads together, 65536 or more; 0 for no limit (default: 0).",
            valueName: "bytes"
        )
    )
    var contentBandwidth: String?

    @Option(help: .init("Downloads that have a connection at once, 1 to 64 (default: 4).", valueName: "count"))
    var contentConnections: String?

    @Option(help: .init("Fail a download after this long (default: 86400).", valueName: "seconds"))
    var downloadDeadline: String?

    @Option(
        help: .init(
            "How receipts name the store: Sandbox, Production, Xcode or LocalTesting (default: Sandbox).",
            valueName: "name"
        )
    )
    var receiptEnvironment: String?

    @Option(
        name: .customLong("receipt-app-id"),
        help: .init("The App Store's number of the application, for its receipts.", valueName: "number")
    )
    var receiptAppID: String?

    @Option(help: .init("Requests of one user in a second; 0 for no limit (default: 500).", valueName: "count"))
    var requestsPerSecond: String?

    @Option(help: .init("The longest frame, 4096 to 4194304 (default: 262144).", valueName: "bytes"))
    var frameMaximum: String?

    @Option(
        help: .init(
            "Log on stderr from this level on: trace, debug, info, notice, warning, error, critical (default: notice).",
            valueName: "level"
        ),
        completion: .list(Logger.Level.allCases.map(\.rawValue)),
        transform: level
    )
    var logLevel = Logger.Level.notice

    @OptionGroup(title: "Simulated provider")
    var simulated: SimulatedOptions

    /// What the options, the environment and the file say together.
    ///
    /// - Throws: ``Failure`` with the status for configuration.
    func configuration() throws -> DaemonConfiguration {
        let environment = ProcessInfo.processInfo.environment
        do {
            return try DaemonConfiguration(
                options: values.merging(simulated.values) { first, _ in first },
                environment: environment,
                file: config ?? environment["TILL_CONFIG"],
                isRoot: geteuid() == 0
            )
        } catch {
            throw Failure(configuration: error)
        }
    }

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError("\(text) is no level of the log.")
        }
        return level
    }

    private var values: [ConfigurationKey: [String]] {
        let given: [ConfigurationKey: [String]] = [
            .catalogue: catalogues,
            .state: [state].compactMap(\.self),
            .socket: [socket].compactMap(\.self),
            .policy: [policy].compactMap(\.self),
            .allowUsers: allowUsers.splitAtCommas,
            .operators: operators.splitAtCommas,
            .approvers: approvers.splitAtCommas,
            .setting: settings.splitAtCommas,
            .approvalDeadline: [approvalDeadline].compactMap(\.self),
            .authorizationDeadline: [authorizationDeadline].compactMap(\.self),
            .resolutionDeadline: [resolutionDeadline].compactMap(\.self),
            .denyPayments: denyPayments.splitAtCommas,
            .purchasingDeadline: [purchasingDeadline].compactMap(\.self),
            .restoreDeadline: [restoreDeadline].compactMap(\.self),
            .content: [content].compactMap(\.self),
            .contentQuota: [contentQuota].compactMap(\.self),
            .contentBandwidth: [contentBandwidth].compactMap(\.self),
            .contentConnections: [contentConnections].compactMap(\.self),
            .downloadDeadline: [downloadDeadline].compactMap(\.self),
            .receiptEnvironment: [receiptEnvironment].compactMap(\.self),
            .receiptAppID: [receiptAppID].compactMap(\.self),
            .requestsPerSecond: [requestsPerSecond].compactMap(\.self),
            .frameMaximum: [frameMaximum].compactMap(\.self),
        ]
        return given.filter { !$0.value.isEmpty }
    }
}
