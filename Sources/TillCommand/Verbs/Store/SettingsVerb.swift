import ArgumentParser
import TillClient

struct SettingsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "List how the store behaves, or change it while the daemon runs.",
        discussion: """
            For operators. CHANGED says which settings are not what the daemon's files say.

            Example: till settings
            """,
        subcommands: [SettingsSetVerb.self, SettingsResetVerb.self]
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withOperator { store in
            let settings = try await store.settings()
            try console.print(table: settings.map(SettingLine.init), asJSON: common.json)
        }
    }
}
