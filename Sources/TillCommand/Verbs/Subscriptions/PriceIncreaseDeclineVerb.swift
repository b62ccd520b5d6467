import ArgumentParser
import TillClient

struct PriceIncreaseDeclineVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "decline",
        abstract: "Decline a higher price of a subscription for its account.",
        discussion: """
            For operators; the account itself answers with till decline.

            Example: till price-increase decline 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func run(_ console: Console) async throws {
        try await changing { store in
            let id = try await transaction.id(store)
            let status = try await store.answerPriceConsent(id, agrees: false, because: reason.recorded)
            try console.print(table: [SubscriptionStatusLine(status: status)], asJSON: common.json)
        }
    }
}
