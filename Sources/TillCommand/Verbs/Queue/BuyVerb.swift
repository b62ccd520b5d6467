import ArgumentParser
import FoundationEssentials
import TillClient

struct BuyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Buy a product and wait for what becomes of it.",
        discussion: """
            Prints the transaction once it is purchased or failed; it stays in the queue until it is finished. A \
            failed purchase is explained on the standard error, and the exit status is then 1. Ctrl-C ends the wait and \
            not the payment, whose identity the standard error then has.

            Example: till buy org.example.notes.coins10 --quantity 2
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "The product's identifier.")
    var product: String

    @Option(help: ArgumentHelp("How many of it, 1 to 10.", valueName: "number"))
    var quantity = 1

    @Option(help: ArgumentHelp("The application's name for the user who buys.", valueName: "name"))
    var username: String?

    @Option(
        help: ArgumentHelp("Repeats the payment of this identity, whose outcome is unknown.", valueName: "uuid"),
        transform: IdentityArgument.parse
    )
    var paymentID: IdentityArgument?

    @Flag(name: .customLong("no-wait"), help: "Print the transaction as soon as it is in the queue.")
    var returnsAtOnce = false

    @Flag(help: "Have the purchase approved by who answers for the buyer: Ask to Buy, in the simulated store.")
    var askToBuy = false

    func validate() throws {
        guard Payment.quantityRange.contains(quantity) else {
            let range = Payment.quantityRange
            throw ValidationError("The quantity must be \(range.lowerBound) to \(range.upperBound).")
        }
        guard (username ?? "").utf8.count <= Payment.applicationUsernameMaximumBytes else {
            throw ValidationError("The username may have \(Payment.applicationUsernameMaximumBytes) bytes at most.")
        }
    }

    func run(_ console: Console) async throws {
        let payment = Payment(
            id: paymentID?.uuid ?? .version7(),
            productID: product,
            quantity: quantity,
            applicationUsername: username,
            simulatesAskToBuyInSandbox: askToBuy
        )
        try await withQueue(console) { queue in
            let interruption = try await console.untilInterrupted { try await buy(payment, queue, console) }
            if let interruption {
                let option = "--payment-id \(payment.id.text)"
                let message = "Nobody waited for what became of it; repeat this very payment with \(option)."
                throw CommandFailure(interruption, message)
            }
        }
    }

    private func buy(_ payment: Payment, _ queue: PaymentQueue, _ console: Console) async throws {
        let transaction: Transaction
        do throws(TillError) {
            let added = try await queue.add(payment)
            transaction = returnsAtOnce ? added : try await wait(for: added, payment, queue, console)
        } catch {
            throw CommandFailure(error, socketPath: queue.configuration.socketPath)
                .orRepeat("payment", with: "--payment-id \(payment.id.text)")
        }
        try console.print(TransactionLine(transaction: transaction), asJSON: common.json)
        if let error = transaction.error {
            throw CommandFailure(error, of: "The purchase")
        }
    }

    private func wait(
        for added: Transaction,
        _ payment: Payment,
        _ queue: PaymentQueue,
        _ console: Console
    ) async throws(TillError) -> Transaction {
        guard !added.state.isFinal else {
            return added
        }
        // Who sits there might else wait for days, and not know for what.
        if console.show != nil, added.state == .deferred {
            let need = added.blocker == .approval ? "somebody to approve it" : "what interrupted it to be resolved"
            console.notice(
                "The purchase is deferred and waits for \(need); Ctrl-C ends this wait and not the purchase."
            )
        }
        return try await queue.purchase(payment)
    }
}
