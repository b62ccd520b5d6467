import ArgumentParser
import FoundationEssentials
import TillClient
import TillOutput

/// An operator's verb that changes a subscription, and prints its status afterwards.
protocol SubscriptionVerb: Verb {
    /// Any transaction of the subscription.
    var transaction: TransactionArgument { get }
    var reason: ReasonOption { get }

    func change(_ id: UUID, _ store: TillOperator) async throws(TillError) -> SubscriptionStatus
}

extension SubscriptionVerb {
    func run(_ console: Console) async throws {
        try await changing(console) { store in
            let status = try await change(try await transaction.id(store), store)
            try console.print(table: [SubscriptionStatusLine(status: status)], asJSON: common.json)
        }
    }
}

struct ExpireVerb: SubscriptionVerb {
    static let configuration = CommandConfiguration(
        commandName: "expire",
        abstract: "End a subscription now.",
        discussion: """
            For operators. The id is that of any transaction of the subscription.

            Example: till expire 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func change(_ id: UUID, _ store: TillOperator) async throws(TillError) -> SubscriptionStatus {
        try await store.expireSubscription(id, because: reason.recorded)
    }
}

struct RenewVerb: SubscriptionVerb {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Begin a subscription's next period now.",
        discussion: """
            For operators. The id is that of any transaction of the subscription.

            Example: till renew 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func change(_ id: UUID, _ store: TillOperator) async throws(TillError) -> SubscriptionStatus {
        try await store.renewSubscription(id, because: reason.recorded)
    }
}

struct AutoRenewVerb: SubscriptionVerb {
    enum Direction: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "auto-renew",
        abstract: "Turn a subscription's auto-renewal on or off.",
        discussion: """
            For operators. The id is that of any transaction of the subscription.

            Example: till auto-renew off 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "Whether the subscription renews.")
    var direction: Direction

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func change(_ id: UUID, _ store: TillOperator) async throws(TillError) -> SubscriptionStatus {
        try await store.setAutoRenew(id, to: direction == .on, because: reason.recorded)
    }
}
