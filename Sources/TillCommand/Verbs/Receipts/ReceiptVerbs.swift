import ArgumentParser
import TillClient
import TillOutput
import TillCrypto
import TillReceiptVerification

struct ReceiptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Print and verify receipts.",
        subcommands: [
            ReceiptShowVerb.self, ReceiptApplicationVerb.self, ReceiptRootVerb.self, ReceiptVerifyVerb.self,
            ReceiptRebuildVerb.self,
        ]
    )

    @OptionGroup var common: CommonOptions
}

struct ReceiptShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the receipt of a purchased or restored transaction.",
        discussion: """
            The receipt is a JWS in the App Store's format. With --decode, its payload is printed as JSON, without \
            verification.

            Example: till receipt show 0199d2a4 --decode
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("The transaction's UUID, UUID prefix, or identifier.", valueName: "id"),
        transform: TransactionReference.parse
    )
    var reference: TransactionReference

    @Flag(help: "Print the payload as JSON.")
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

struct ReceiptApplicationVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "application",
        abstract: "Print the application's receipt, which lists the account's purchases.",
        discussion: """
            The receipt is a JWS that is signed for this call, even if there are no purchases. With --decode, its \
            payload is printed as JSON.

            Example: till receipt application -o receipt
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var output: OutputOption

    @Flag(help: "Print the payload as JSON.")
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

struct ReceiptRootVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "root",
        abstract: "Print the root certificate that verifies the daemon's receipts.",
        discussion: """
            The certificate is printed in PEM. With --der it is written in DER, as Apple's libraries require. Verifiers \
            have to receive the certificate over a trusted channel.

            Example: till receipt root --der -o root.cer
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var output: OutputOption

    @Flag(help: "Write the certificate in DER; requires -o.")
    var der = false

    func validate() throws {
        guard !der || output.path != nil else {
            throw ValidationError("--der writes binary data: name a file with -o.")
        }
    }

    func run(_ console: Console) async throws {
        try await withQueue(console, fallback: Till.application) { queue in
            let certificate = try await queue.receiptRootCertificate()
            let text = CertificateOutput(lines: PEM.encode(certificate))
            guard let file = output.file else {
                return try console.print(text, asJSON: common.json)
            }
            try file.write(der ? certificate : Array(text.pem.utf8))
        }
    }
}

struct ReceiptRebuildVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Re-sign a transaction's receipt from the ledger.",
        discussion: """
            For operators, for example after the signing keys were lost.

            Example: till receipt rebuild 0199d2a4 --reason 'New keys.'
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var transaction: TransactionArgument

    @OptionGroup var reason: ReasonOption

    func run(_ console: Console) async throws {
        try await changing(console) { store in
            let id = try await transaction.id(store)
            let rebuilt = try await store.rebuildReceipt(of: id, because: reason.recorded)
            try console.print(TransactionLine(transaction: rebuilt), asJSON: common.json)
        }
    }
}
