import ArgumentParser
import TillClient

struct SettingsSetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change settings, all that are given or none, and print them.",
        discussion: "Example: till settings set ask-to-buy=true time-rate=6"
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("Names and values, as till settings lists them.", valueName: "name=value"),
        transform: SettingArgument.parse
    )
    var changes: [SettingArgument]

    @OptionGroup var reason: ReasonOption

    func validate() throws {
        try SettingsLimit.check(changes.map(\.name))
    }

    func run(_ console: Console) async throws {
        let values = Dictionary(changes.map { ($0.name, Optional($0.value)) }) { first, _ in first }
        try await changing { store in
            let settings = try await store.changeSettings(values, because: reason.recorded)
            let named = settings.filter { values.keys.contains($0.name) }
            try console.print(table: named.map(SettingLine.init), asJSON: common.json)
        }
    }
}
