import ArgumentParser
import FoundationEssentials
import TillClient

struct BuyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Buy a product and wait for what becomes of it.",
        discussion: """
            Prints the transaction once it is purchased or failed; it stays in the queue until it is finished. A \
            failed purchase is explained on the standard error, and the exit status is then 1.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "The product's identifier.")
    var product: String

    @Option(help: ArgumentHelp("How many of it, 1 to 10.", valueName: "number"))
    var quantity = 1

    @Option(help: ArgumentHelp("The application's name for the user who buys.", valueName: "name"))
    var username: String?

    @Option(help: ArgumentHelp("Repeats the payment of this identity, whose outcome is unknown.", valueName: "uuid"))
    var paymentID: PaymentID?

    @Flag(name: .customLong("no-wait"), help: "Print the transaction as soon as it is in the queue.")
    var returnsAtOnce = false

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
            applicationUsername: username
        )
        try await withQueue(console) { queue in
            let transaction: Transaction
            do throws(TillError) {
                transaction = returnsAtOnce ? try await queue.add(payment) : try await queue.purchase(payment)
            } catch {
                throw Self.failure(error, payment.id, queue)
            }
            try console.print(TransactionLine(transaction: transaction), asJSON: common.json)
            if let error = transaction.error {
                throw CommandFailure(error, of: "The purchase")
            }
        }
    }

    /// Says how to repeat a payment that may have been made.
    private static func failure(_ error: TillError, _ id: UUID, _ queue: PaymentQueue) -> CommandFailure {
        var failure = CommandFailure(error, socketPath: queue.configuration.socketPath)
        if failure.status == .unreachable || failure.status == .fault {
            let reason = (failure.message ?? "").dropLast()
            failure.message = "\(reason); then repeat this very payment with --payment-id \(id.text)."
        }
        return failure
    }
}
