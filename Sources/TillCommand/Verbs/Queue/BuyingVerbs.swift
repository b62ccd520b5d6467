import ArgumentParser
import FoundationEssentials
import TillClient
import TillOutput

struct BuyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Buy a product and wait for the outcome.",
        discussion: """
            The command prints the transaction when it is purchased or failed. The transaction stays in the queue until \
            it is finished. If the purchase fails, the standard error explains why and the exit status is 1. Ctrl-C \
            ends the wait, not the payment; the standard error then has the payment's identity.

            Example: till buy org.example.notes.coins10 --quantity 2
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "The product's identifier.")
    var product: String

    @Option(help: ArgumentHelp("The quantity, 1 to 10.", valueName: "number"))
    var quantity = 1

    @Option(help: ArgumentHelp("The application's name for the buying user.", valueName: "name"))
    var username: String?

    @Option(
        help: ArgumentHelp("Retry the payment with this identity and unknown outcome.", valueName: "uuid"),
        transform: IdentityArgument.parse
    )
    var paymentID: IdentityArgument?

    @Flag(name: .customLong("no-wait"), help: "Print the transaction once it is in the queue.")
    var returnsAtOnce = false

    @Flag(help: "Require approval by the buyer's approver (simulated Ask to Buy).")
    var askToBuy = false

    func validate() throws {
        try Payment.check(quantity: quantity)
        guard (username ?? "").utf8.count <= Payment.applicationUsernameMaximumBytes else {
            throw ValidationError("Invalid username: use at most \(Payment.applicationUsernameMaximumBytes) bytes.")
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
                let message = "The wait ended before the outcome was known; retry the same payment with \(option)."
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
                .advisingRetry(ofThe: "payment", with: "--payment-id \(payment.id.text)")
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
        // A deferred purchase can take days, so a user at a terminal has to know the reason.
        if console.show != nil, added.state == .deferred {
            let event = added.blocker == .approval ? "somebody approves it" : "its interruption is resolved"
            console.notice("The purchase is deferred until \(event); Ctrl-C ends this wait, not the purchase.")
        }
        return try await queue.purchase(payment)
    }
}

struct CancelVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a payment that was not charged yet.",
        discussion: """
            The transaction fails without moving money, and stays in the queue until it is finished. A payment whose \
            charge has started cannot be cancelled, unless it waits for its payer.

            Example: till cancel 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("The payment's UUID or UUID prefix.", valueName: "id"),
        transform: TransactionReference.parse
    )
    var reference: TransactionReference

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            for id in try await [reference].ids(inQueue: queue.transactions) {
                let transaction = try await queue.cancel(paymentID: id)
                try console.print(TransactionLine(transaction: transaction), asJSON: common.json)
            }
        }
    }
}
