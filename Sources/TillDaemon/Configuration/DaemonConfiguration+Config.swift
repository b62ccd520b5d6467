import Configuration
import Glibc
import TillCatalogue
package import TillModel
import TillService

extension DaemonConfiguration {
    /// Reads the keys of ``ConfigurationKey/all``. Options override the environment, which overrides the file.
    ///
    /// - Parameters:
    ///   - options: The command line's values, by the key's name.
    ///   - environment: The process's environment; its variables for keys begin with `TILL_`.
    ///   - file: The path of the JSON file; nil without one.
    /// - Throws: `invalidArgument` that names the key.
    package init(
        options: [String: [String]],
        environment: [String: String],
        file: String?,
        isRoot: Bool
    ) throws(TillError) {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, texts) in options {
            guard let key = ConfigurationKey[name] else {
                throw TillError(.invalidArgument, "Unknown key \(name).")
            }
            values[AbsoluteConfigKey(key.configKey)] = key.value(of: texts)
        }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "options", values: values),
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

    private init(config: ConfigReader, defaults: DefaultPaths) throws(TillError) {
        guard let catalogues = ConfigurationKey.catalogue.texts(in: config), !catalogues.isEmpty else {
            throw TillError(.invalidArgument, "The catalogue is missing: name at least one file with --catalogue FILE.")
        }
        guard let state = try Self.path(.state, config) ?? defaults.state else {
            throw TillError(
                .invalidArgument,
                "Neither XDG_STATE_HOME nor HOME is set: name the state directory with --state DIR."
            )
        }
        guard let socket = try Self.path(.socket, config) ?? defaults.socket else {
            throw TillError(.invalidArgument, "XDG_RUNTIME_DIR is not set: name the socket with --socket PATH.")
        }
        self.init(catalogueFiles: catalogues, stateDirectory: state, socketPath: socket)
        for key in ConfigurationKey.all {
            if let texts = key.texts(in: config) {
                try key.set(&self, texts)
                self.texts[key.name] = texts
            }
        }
        policy = try Self.policy(config)
        policy.host = hostUsers == .separate ? host : nil
        if contentDirectory == nil, state == defaults.state {
            contentDirectory = defaults.content
        }
    }

    private static func path(_ key: ConfigurationKey, _ config: ConfigReader) throws(TillError) -> String? {
        let path = key.texts(in: config)?.first
        guard path?.isEmpty != true else {
            throw TillError(.invalidArgument, "\(key.name) is empty: name a path, or leave it out.")
        }
        return path
    }

    private static func policy(_ config: ConfigReader) throws(TillError) -> AccessPolicy {
        guard let file = ConfigurationKey.policy.texts(in: config)?.first else {
            return AccessPolicy(
                own: geteuid(),
                others: try users(config),
                operators: try userIDs(.operators, config),
                approvers: try userIDs(.approvers, config)
            )
        }
        for key in [ConfigurationKey.allowUsers, .operators, .approvers] where key.texts(in: config) != nil {
            throw TillError(
                .invalidArgument,
                "policy and \(key.name) are both set: add the users to \(file), and leave out \(key.name)."
            )
        }
        return AccessPolicy(own: geteuid(), rules: try PolicyFile.rules(path: file))
    }

    private static func users(_ config: ConfigReader) throws(TillError) -> AccessPolicy.Users {
        guard ConfigurationKey.allowUsers.texts(in: config) != ["all"] else {
            return .all
        }
        let users = try userIDs(.allowUsers, config)
        return users.isEmpty ? .none : .some(users)
    }

    private static func userIDs(_ key: ConfigurationKey, _ config: ConfigReader) throws(TillError) -> Set<UInt32> {
        let rule = key.name == ConfigurationKey.allowUsers.name ? "numeric user ids, or all alone" : "numeric user ids"
        var users: Set<UInt32> = []
        for name in key.texts(in: config) ?? [] {
            guard let uid = UInt32(name) else {
                throw .invalid(key.name, name, use: rule)
            }
            users.insert(uid)
        }
        return users
    }
}

extension StoreSettings {
    /// Reads the key `setting`: elements of the form `name=value`.
    static func parse(_ texts: [String]) throws(TillError) -> [Key: String] {
        var settings: [Key: String] = [:]
        var check = StoreSettings()
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let key = Key(rawValue: String(parts[0])) else {
                let names = Key.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("setting", text, use: "NAME=VALUE with one of the names \(names)")
            }
            try check.set(key, to: String(parts[1]))
            if key == .storefront, Storefronts.currency(countryCode: check.storefront) == nil {
                throw .invalid("setting", text, use: "the ISO 3166-1 alpha-3 code of a country of the App Store")
            }
            settings[key] = String(parts[1])
        }
        return settings
    }
}
