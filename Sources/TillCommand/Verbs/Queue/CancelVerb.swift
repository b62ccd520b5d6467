import ArgumentParser
import TillClient

struct CancelVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Take a payment back that was not charged yet.",
        discussion: """
            Its transaction fails, without money moved, and stays in the queue until it is finished. A payment whose \
            charge is under way cannot be taken back.

            Example: till cancel 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("The payment's UUID or its beginning.", valueName: "id"),
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
