import ArgumentParser
import TillClient

struct ExpireVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "expire",
        abstract: "End a subscription now.",
        discussion: """
            For operators; the subscription is named by any of its transactions.

            Example: till expire 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func run(_ console: Console) async throws {
        try await changing { store in
            let id = try await transaction.id(store)
            let status = try await store.expireSubscription(id, because: reason.recorded)
            try console.print(table: [SubscriptionStatusLine(status: status)], asJSON: common.json)
        }
    }
}
