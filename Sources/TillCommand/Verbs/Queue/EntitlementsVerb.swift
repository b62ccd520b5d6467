import ArgumentParser
import TillClient

struct EntitlementsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "entitlements",
        abstract: "List what the account owns, or is subscribed to, now.",
        discussion: "Example: till entitlements --application org.example.notes"
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            try await console.print(table: queue.entitlements, asJSON: common.json, EntitlementLine.init)
        }
    }
}
