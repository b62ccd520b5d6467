import Configuration
import Glibc
import TTRPC
import TillDownloads
import TillEngine
package import TillModel
import TillProviders
import TillService

extension DaemonConfiguration {
    /// Reads the configuration: options over the environment over the file.
    ///
    /// - Parameters:
    ///   - options: What the command line says.
    ///   - environment: Variables that begin with `TILL_`.
    ///   - file: A JSON file, if there is one.
    /// - Throws: `invalidArgument` that names the key.
    package init(
        options: [ConfigurationKey: [String]],
        environment: [String: String],
        file: String?,
        isRoot: Bool
    ) throws(TillError) {
        let values = options.map { key, texts in
            (AbsoluteConfigKey(key.configKey), ConfigurationKey.value(of: texts, isList: key.isList))
        }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "options", values: Dictionary(uniqueKeysWithValues: values)),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "till"),
        ]
        if let file {
            providers.append(try ConfigurationFile.provider(path: file))
        }
        try self.init(
            config: ConfigReader(providers: providers),
            defaults: DefaultPaths(environment: environment, isRoot: isRoot)
        )
        credentialsDirectory = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads the configuration.
    ///
    /// | key | value | default |
    /// |---|---|---|
    /// | `catalogue` | paths of `.storekit` files, at least one | |
    /// | `state` | directory | `defaults.state` |
    /// | `socket` | path | `defaults.socket` |
    /// | `policy` | a file that says who may do what, in place of the next three | none |
    /// | `allow-users` | user ids, or `all` | the daemon's own |
    /// | `operators` | user ids that may inspect and change everything | the daemon's own |
    /// | `approvers` | user ids that answer for buyers | the operators |
    /// | `deny-payments` | accounts that may not pay | none |
    /// | `setting` | `name=value`, over what the catalogue says, see ``StoreSettings/Key`` | none |
    /// | `approval-deadline` | seconds, 1 to 31,536,000 | 86,400 |
    /// | `authorization-deadline` | seconds, 1 to 31,536,000 | 600 |
    /// | `resolution-deadline` | seconds, 1 to 31,536,000 | 86,400 |
    /// | `purchasing-deadline` | seconds, 1 to 82,800 | 82,800 |
    /// | `restore-deadline` | seconds, 1 to 3,600 | 60 |
    /// | `content` | directory for hosted content | `defaults.content`, else in `state` |
    /// | `content-quota` | bytes of an account, 1 to 1 TiB | 10 GiB |
    /// | `content-bandwidth` | bytes a second, 65,536 to 1 TiB; 0 for no limit | 0 |
    /// | `content-connections` | 1 to 64 | 4 |
    /// | `download-deadline` | seconds, 1 to 31,536,000 | 86,400 |
    /// | `receipt-environment` | `Sandbox`, `Production`, `Xcode` or `LocalTesting` | `Sandbox` |
    /// | `receipt-app-id` | a number, which `Production` needs | the catalogue's |
    /// | `requests-per-second` | of one user, 1 to 1,000,000; 0 for no limit | 500 |
    /// | `frame-maximum` | bytes, 4,096 to 4,194,304 | 262,144 |
    /// | `simulated.decline` … | products or applications, see ``SimulatedFaults`` | none |
    /// | `simulated.delay` | seconds, 0 to 3,600 | 5 |
    ///
    /// - Throws: `invalidArgument` that names the key.
    init(config: ConfigReader, defaults: DefaultPaths) throws(TillError) {
        guard let files = config.stringArray(forKey: ConfigurationKey.catalogue.configKey), !files.isEmpty else {
            throw TillError(.invalidArgument, "Name at least one catalogue: --catalogue FILE.")
        }
        guard let state = try Self.path(config, .state) ?? defaults.state else {
            throw TillError(
                .invalidArgument,
                "Neither XDG_STATE_HOME nor HOME is set: name the directory with --state DIR."
            )
        }
        guard let socket = try Self.path(config, .socket) ?? defaults.socket else {
            throw TillError(.invalidArgument, "XDG_RUNTIME_DIR is not set: name the socket with --socket PATH.")
        }
        self.init(catalogueFiles: files, stateDirectory: state, socketPath: socket)
        policy = try Self.policy(config)
        contentDirectory = config.string(forKey: ConfigurationKey.content.configKey)
        if contentDirectory == nil, state == defaults.state {
            contentDirectory = defaults.content
        }
        try readContent(config)
        try readReceipts(config)
        engine = try Self.engine(config)
        limits = try Self.limits(config)
        faults = try Self.faults(config)
    }

    private static func path(_ config: ConfigReader, _ key: ConfigurationKey) throws(TillError) -> String? {
        let path = config.string(forKey: key.configKey)
        guard path?.isEmpty != true else {
            throw TillError(.invalidArgument, "\(key.rawValue) is empty; name a path, or leave it out.")
        }
        return path
    }

    private mutating func readContent(_ config: ConfigReader) throws(TillError) {
        let bandwidth = DownloaderConfiguration.bandwidthMinimum
        if let bytes = try Self.integer(config, .contentBandwidth, in: 0...1 << 40), bytes > 0 {
            guard bytes >= bandwidth else {
                throw TillError(
                    .invalidArgument,
                    "content-bandwidth takes \(bandwidth) bytes a second or more, or 0 for no limit, not \(bytes)."
                )
            }
            contentBandwidth = Int64(bytes)
        }
        if let count = try Self.integer(config, .contentConnections, in: 1...64) {
            contentConnections = count
        }
    }

    private mutating func readReceipts(_ config: ConfigReader) throws(TillError) {
        if let name = config.string(forKey: ConfigurationKey.receiptEnvironment.configKey) {
            guard let environment = ReceiptEnvironment(rawValue: name) else {
                let names = ReceiptEnvironment.allCases.map(\.rawValue).joined(separator: ", ")
                throw TillError(.invalidArgument, "receipt-environment takes one of \(names), not \(name).")
            }
            receiptEnvironment = environment
        }
        if let number = try Self.integer(config, .receiptAppID, in: 1...Int.max) {
            receiptAppID = Int64(number)
        }
    }

    private static func policy(_ config: ConfigReader) throws(TillError) -> AccessPolicy {
        guard let file = config.string(forKey: ConfigurationKey.policy.configKey) else {
            return AccessPolicy(
                own: geteuid(),
                others: try users(config),
                operators: try userIDs(config, .operators),
                approvers: try userIDs(config, .approvers)
            )
        }
        for key in [ConfigurationKey.allowUsers, .operators, .approvers]
        where config.stringArray(forKey: key.configKey) != nil {
            throw TillError(
                .invalidArgument,
                "policy and \(key.rawValue) both say who may do what; put the users into \(file), and leave out \(key.rawValue)."
            )
        }
        return AccessPolicy(own: geteuid(), rules: try PolicyFile.rules(path: file))
    }

    private static func users(_ config: ConfigReader) throws(TillError) -> AccessPolicy.Users {
        guard config.stringArray(forKey: ConfigurationKey.allowUsers.configKey) != ["all"] else {
            return .all
        }
        let users = try userIDs(config, .allowUsers)
        return users.isEmpty ? .none : .some(users)
    }

    private static func userIDs(_ config: ConfigReader, _ key: ConfigurationKey) throws(TillError) -> Set<UInt32> {
        var users: Set<UInt32> = []
        for name in config.stringArray(forKey: key.configKey, default: []) {
            guard name != "all" || key != .allowUsers else {
                throw TillError(.invalidArgument, "allow-users takes all alone; leave out the other users, or all.")
            }
            guard let uid = UInt32(name) else {
                let all = key == .allowUsers ? " or all" : ""
                throw TillError(.invalidArgument, "\(key.rawValue) takes numeric user ids\(all), not \(name).")
            }
            users.insert(uid)
        }
        return users
    }

    private static func settings(_ config: ConfigReader) throws(TillError) -> [StoreSettings.Key: String] {
        var settings: [StoreSettings.Key: String] = [:]
        var check = StoreSettings()
        for text in config.stringArray(forKey: ConfigurationKey.setting.configKey, default: []) {
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let key = StoreSettings.Key(rawValue: String(parts[0])) else {
                let names = StoreSettings.Key.allCases.map(\.rawValue).joined(separator: ", ")
                throw TillError(.invalidArgument, "setting takes name=value, not \(text); the names are \(names).")
            }
            try check.set(key, to: String(parts[1]))
            settings[key] = String(parts[1])
        }
        return settings
    }

    private static func engine(_ config: ConfigReader) throws(TillError) -> EngineConfiguration {
        var engine = EngineConfiguration()
        engine.accountsNotAllowedToPay = Set(
            config.stringArray(forKey: ConfigurationKey.denyPayments.configKey, default: [])
        )
        engine.settings = try settings(config)
        let year = 365 * 24 * 3600
        if let seconds = try integer(config, .approvalDeadline, in: 1...year) {
            engine.deadlines.approval = .seconds(seconds)
        }
        if let seconds = try integer(config, .authorizationDeadline, in: 1...year) {
            engine.deadlines.authorization = .seconds(seconds)
        }
        if let seconds = try integer(config, .resolutionDeadline, in: 1...year) {
            engine.deadlines.resolution = .seconds(seconds)
        }
        if let seconds = try integer(config, .purchasingDeadline, in: 1...82_800) {
            engine.purchasingDeadline = .seconds(seconds)
        }
        if let seconds = try integer(config, .restoreDeadline, in: 1...3_600) {
            engine.restoreDeadline = .seconds(seconds)
        }
        if let seconds = try integer(config, .downloadDeadline, in: 1...year) {
            engine.downloadDeadline = .seconds(seconds)
        }
        if let bytes = try integer(config, .contentQuota, in: 1...1 << 40) {
            engine.downloadQuota = Int64(bytes)
        }
        return engine
    }

    private static func limits(_ config: ConfigReader) throws(TillError) -> TTRPCServer.Limits {
        var limits = TTRPCServer.Limits()
        if let rate = try integer(config, .requestsPerSecond, in: 0...1_000_000) {
            limits.requestRate =
                rate == 0 ? nil : TTRPCServer.RequestRate(perSecond: Double(rate), burst: 2 * Double(rate))
        }
        if let bytes = try integer(config, .frameMaximum, in: 4_096...Frame.lengthMaximum) {
            limits.frameLength = bytes
        }
        return limits
    }

    private static func faults(_ config: ConfigReader) throws(TillError) -> SimulatedFaults {
        var faults = SimulatedFaults()
        faults.declined = try identifiers(config, .simulatedDecline)
        faults.timeoutBeforeEffect = try identifiers(config, .simulatedTimeoutBefore)
        faults.timeoutAfterEffect = try identifiers(config, .simulatedTimeoutAfter)
        faults.unreachable = try identifiers(config, .simulatedUnreachable)
        faults.slow = try identifiers(config, .simulatedSlow)
        faults.refusedRestores = try identifiers(config, .simulatedRefuseRestore)
        if let seconds = try integer(config, .simulatedDelay, in: 0...3_600) {
            faults.delay = .seconds(seconds)
        }
        return faults
    }

    /// Products, or applications.
    private static func identifiers(_ config: ConfigReader, _ key: ConfigurationKey) throws(TillError) -> Set<String> {
        let names = Set(config.stringArray(forKey: key.configKey, default: []))
        if let wrong = names.sorted().first(where: { !Identifier.isValid($0) }) {
            throw TillError(
                .invalidArgument,
                "\(key.rawValue) takes identifiers of 1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : -, not \(wrong)."
            )
        }
        guard names.count <= SimulatedFaults.listMaximum else {
            throw TillError(
                .invalidArgument,
                "\(key.rawValue) takes at most \(SimulatedFaults.listMaximum) identifiers, not \(names.count)."
            )
        }
        return names
    }

    private static func integer(
        _ config: ConfigReader,
        _ key: ConfigurationKey,
        in range: ClosedRange<Int>
    ) throws(TillError) -> Int? {
        guard let text = config.string(forKey: key.configKey) else {
            return nil
        }
        guard let value = Int(text), range.contains(value) else {
            throw TillError(
                .invalidArgument,
                "\(key.rawValue) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)."
            )
        }
        return value
    }
}
