import ArgumentParser
import TillClient

struct RenewVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Begin the next period of a subscription now.",
        discussion: """
            For operators; the subscription is named by any of its transactions.

            Example: till renew 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func run(_ console: Console) async throws {
        try await changing { store in
            let id = try await transaction.id(store)
            let status = try await store.renewSubscription(id, because: reason.recorded)
            try console.print(table: [SubscriptionStatusLine(status: status)], asJSON: common.json)
        }
    }
}
