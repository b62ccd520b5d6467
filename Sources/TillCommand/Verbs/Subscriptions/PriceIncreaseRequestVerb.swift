import ArgumentParser
import FoundationEssentials
import TillClient

struct PriceIncreaseRequestVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Announce a higher price of a subscription to its account, and ask for consent.",
        discussion: """
            For operators. Without --price the new price is the catalogue's.

            Example: till price-increase request 0199d2a4 --price 5.99
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    @Option(
        help: ArgumentHelp("The new price in the currency's major unit, such as 5.99.", valueName: "amount"),
        transform: DecimalAmount.parse
    )
    var price: Decimal?

    func run(_ console: Console) async throws {
        try await changing { store in
            let id = try await transaction.id(store)
            let status = try await store.requestPriceConsent(id, amount: price, because: reason.recorded)
            try console.print(table: [SubscriptionStatusLine(status: status)], asJSON: common.json)
        }
    }
}
