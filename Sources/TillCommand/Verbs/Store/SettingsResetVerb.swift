import ArgumentParser
import TillClient

struct SettingsResetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Let settings be what the daemon's files say: those that are named, or all.",
        discussion: "Example: till settings reset ask-to-buy"
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("Names, as till settings lists them; none for all.", valueName: "name"))
    var names: [String] = []

    @OptionGroup var reason: ReasonOption

    func validate() throws {
        try SettingsLimit.check(names)
        if let name = names.first(where: { $0.isEmpty || $0.contains("=") }) {
            throw ValidationError("'\(name)' is not a setting's name; a reset takes no value.")
        }
    }

    func run(_ console: Console) async throws {
        let values = Dictionary(names.map { ($0, String?.none) }) { first, _ in first }
        try await changing { store in
            let settings = try await store.changeSettings(values, resetsAll: names.isEmpty, because: reason.recorded)
            let named = settings.filter { names.isEmpty || values.keys.contains($0.name) }
            try console.print(table: named.map(SettingLine.init), asJSON: common.json)
        }
    }
}
