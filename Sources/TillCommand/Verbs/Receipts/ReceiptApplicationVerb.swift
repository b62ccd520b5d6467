import ArgumentParser
import TillClient

struct ReceiptApplicationVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "application",
        abstract: "Print the application's receipt: all that the account has bought in it.",
        discussion: """
            A JWS, signed for this call; there is one also without purchases. With --decode, what it says, as JSON.

            Example: till receipt application -o receipt
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var output: OutputOption

    @Flag(help: "Print what it says, as JSON.")
    var decode = false

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            let receipt = try await queue.applicationReceipt()
            if let file = output.file {
                try file.write((decode ? try ReceiptText(receipt).payload() : receipt).utf8)
            } else {
                try console.print(ReceiptLine(receipt: receipt), decoded: decode, asJSON: common.json)
            }
        }
    }
}
