import ArgumentParser
import TillClient

struct SubscriptionsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "subscriptions",
        abstract: "List how the account's subscriptions stand, the expired ones too.",
        discussion: "Example: till subscriptions --application org.example.notes"
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            try await console.print(table: queue.subscriptions, asJSON: common.json, SubscriptionStatusLine.init)
        }
    }
}
