import ArgumentParser
import TillClient
import TillOutput

struct SettingsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "List or change the store's settings.",
        discussion: """
            For operators. The column CHANGED marks settings that differ from their configured values.

            Example: till settings
            """,
        subcommands: [SettingsSetVerb.self, SettingsResetVerb.self]
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            let settings = try await store.settings()
            try console.print(table: settings.map(SettingLine.init), asJSON: common.json)
        }
    }
}

struct SettingsSetVerb: SettingsChangeVerb {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change settings and print them; an error changes none.",
        discussion: "Example: till settings set ask-to-buy=true time-rate=6"
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("Names and values; see till settings.", valueName: "name=value"),
        transform: SettingArgument.parse
    )
    var changes: [SettingArgument]

    @OptionGroup var reason: ReasonOption

    var values: [(name: String, value: String?)] {
        changes.map { ($0.name, $0.value) }
    }

    func validate() throws {
        try checkNames()
    }
}

struct SettingsResetVerb: SettingsChangeVerb {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Reset settings to their configured values.",
        discussion: "Example: till settings reset ask-to-buy"
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("Names; see till settings. Default: all settings.", valueName: "name"))
    var names: [String] = []

    @OptionGroup var reason: ReasonOption

    var values: [(name: String, value: String?)] {
        names.map { ($0, nil) }
    }

    func validate() throws {
        try checkNames()
        if let name = names.first(where: { $0.isEmpty || $0.contains("=") }) {
            throw ValidationError("Invalid setting '\(name)': use a name without a value.")
        }
    }
}

/// A verb that changes settings, and prints the changed ones.
protocol SettingsChangeVerb: Verb {
    var reason: ReasonOption { get }
    /// The new values. Nil resets a setting, and an empty list resets all settings.
    var values: [(name: String, value: String?)] { get }
}

extension SettingsChangeVerb {
    fileprivate func checkNames() throws {
        let maximum = 32
        guard values.count <= maximum else {
            throw ValidationError("Too many settings: change at most \(maximum) settings at once.")
        }
        var seen: Set<String> = []
        if let duplicate = values.map(\.name).first(where: { !seen.insert($0).inserted }) {
            throw ValidationError("Duplicate setting \(duplicate): name each setting once.")
        }
    }

    func run(_ console: Console) async throws {
        let changes = Dictionary(values.map { ($0.name, $0.value) }) { first, _ in first }
        try await changing(console) { store in
            let settings = try await store.changeSettings(
                changes,
                resetsAll: changes.isEmpty,
                because: reason.recorded
            )
            let named = settings.filter { changes.isEmpty || changes.keys.contains($0.name) }
            try console.print(table: named.map(SettingLine.init), asJSON: common.json)
        }
    }
}

/// A setting and its value: `NAME=VALUE`. Some settings take an empty value.
struct SettingArgument: ArgumentText, Hashable, Sendable {
    let name: String
    let value: String

    static let rule = "use NAME=VALUE; till settings lists names and allowed values"

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, let value = parts.dropFirst().first, !name.isEmpty else {
            return nil
        }
        self.name = name
        self.value = value
    }
}
