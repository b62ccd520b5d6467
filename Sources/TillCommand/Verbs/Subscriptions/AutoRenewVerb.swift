import ArgumentParser
import TillClient

struct AutoRenewVerb: Verb {
    enum Direction: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "auto-renew",
        abstract: "Say whether a subscription goes on after the period that is paid for.",
        discussion: """
            For operators; the subscription is named by any of its transactions.

            Example: till auto-renew off 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "Whether it goes on.")
    var direction: Direction

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func run(_ console: Console) async throws {
        try await changing { store in
            let id = try await transaction.id(store)
            let status = try await store.setAutoRenew(id, to: direction == .on, because: reason.recorded)
            try console.print(table: [SubscriptionStatusLine(status: status)], asJSON: common.json)
        }
    }
}
