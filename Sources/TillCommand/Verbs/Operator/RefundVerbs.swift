import ArgumentParser
import TillClient
import TillOutput

struct RefundVerb: TakingBackVerb {
    static let configuration = CommandConfiguration(
        commandName: "refund",
        abstract: "Refund and revoke a purchase or a part of it.",
        discussion: """
            For operators. Refunds never exceed the amount that was paid. Repeating the same order is harmless.

            Example: till refund 0199d2a4 --quantity 1 --cause application-issue --reason 'Level 3 crashed.'
            """
    )

    static let keepsMoney = false

    @OptionGroup var common: CommonOptions

    @OptionGroup var options: RefundOptions
}

struct RevokeVerb: TakingBackVerb {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a purchase or a part of it without refunding.",
        discussion: """
            For operators. Applications and restores treat it like a refund.

            Example: till revoke 0199d2a4 --reason 'Bought with a stolen card.'
            """
    )

    static let keepsMoney = true

    @OptionGroup var common: CommonOptions

    @OptionGroup var options: RefundOptions
}

/// The options of `refund` and `revoke`.
struct RefundOptions: ParsableArguments {
    @OptionGroup var transaction: TransactionArgument

    @Option(help: ArgumentHelp("The quantity to take back. Default: everything that is left.", valueName: "number"))
    var quantity: Int?

    @Option(help: ArgumentHelp("The cause, reported to the application.", valueName: "cause"))
    var cause = CaseArgument(Revocation.Reason.other)

    @Option(
        help: ArgumentHelp("Retry the order with this identity and unknown outcome.", valueName: "uuid"),
        transform: IdentityArgument.parse
    )
    var refundID: IdentityArgument?

    @OptionGroup var reason: ReasonOption

    func validate() throws {
        if let quantity {
            try Payment.check(quantity: quantity)
        }
    }
}

/// A verb that takes a purchase or a part of it back.
protocol TakingBackVerb: Verb {
    /// Whether the store keeps the money.
    static var keepsMoney: Bool { get }
    var options: RefundOptions { get }
}

extension TakingBackVerb {
    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            let order = RefundOrder(
                id: options.refundID?.uuid ?? .version7(),
                transactionID: try await options.transaction.id(store),
                quantity: options.quantity ?? 0,
                reason: options.cause.value,
                keepsMoney: Self.keepsMoney
            )
            let done: (refund: RefundSummary, transaction: Transaction)
            do throws(TillError) {
                done = try await store.refund(order, because: options.reason.recorded)
            } catch {
                throw CommandFailure(error, socketPath: store.configuration.socketPath)
                    .advisingRetry(ofThe: "order", with: "--refund-id \(order.id.text)")
            }
            try console.print(RefundedLine(refund: done.refund, transaction: done.transaction), asJSON: common.json)
        }
    }
}
