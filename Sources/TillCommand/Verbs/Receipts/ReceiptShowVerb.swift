import ArgumentParser
import TillClient

struct ReceiptShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the receipt of a transaction that is purchased or restored.",
        discussion: """
            A JWS in the App Store's format. With --decode, what it says, as JSON; that does not verify it.

            Example: till receipt show 0199d2a4 --decode
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("The transaction's UUID or its beginning, or its identifier.", valueName: "id"),
        transform: TransactionReference.parse
    )
    var reference: TransactionReference

    @Flag(help: "Print what it says, as JSON.")
    var decode = false

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            let id = try await [reference].ids(inQueue: queue.allTransactions).first
            let found = try await queue.allTransactions.first { $0.id == id }
            guard let transaction = found else {
                throw TillError(.notFound, "The queue has no transaction \(reference).")
            }
            guard let receipt = transaction.receipt else {
                throw CommandFailure(
                    .badData,
                    "The transaction \(transaction.id.text) is \(transaction.state.name) and has no receipt."
                )
            }
            let line = ReceiptLine(receipt: receipt, transactionID: transaction.id)
            try console.print(line, decoded: decode, asJSON: common.json)
        }
    }
}

extension Console {
    /// Prints a receipt, or only what it says.
    func print(_ line: ReceiptLine, decoded: Bool, asJSON: Bool) throws {
        guard decoded else {
            return try print(line, asJSON: asJSON)
        }
        try print(try ReceiptText(line.receipt).payload().printable)
    }
}
