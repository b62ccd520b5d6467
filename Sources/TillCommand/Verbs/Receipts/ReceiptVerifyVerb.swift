import ArgumentParser
import FoundationEssentials
import TillClient
import TillCrypto
import TillOutput
import TillReceiptVerification

struct ReceiptVerifyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a receipt's signature, certificates and contents.",
        discussion: """
            With --root, no daemon is needed. Without it, the receipt is verified against the daemon's own root, which \
            proves only that this daemon signed it. With --application or $TILL_APPLICATION, the receipt must belong \
            to that application. The exit status is 1 if the receipt is invalid.

            Example: till receipt verify receipt --root root.pem --application org.example.notes
            """
    )

    /// The size limit, which allows an application's receipt with several thousand purchases.
    static let bytesMaximum = 16 << 20

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("The receipt, or - for the standard input.", valueName: "file"),
        completion: .file()
    )
    var path: String

    @Option(
        help: ArgumentHelp("Trust this root, in PEM or DER; may be repeated.", valueName: "file"),
        completion: .file()
    )
    var root: [String] = []

    @Option(help: ArgumentHelp("Require this environment.", valueName: "name"))
    var environment: EnvironmentArgument?

    func run(_ console: Console) async throws {
        let application = try common.namedApplication(console)
        let receipt = ReceiptText(file: try InputFile(path: path).bytes(maximum: Self.bytesMaximum))
        let verifier = try await verifier(console)
        let verified: VerifiedReceipt
        do {
            verified = try verifier.verify(
                receipt.compact,
                application: application,
                environment: environment?.environment
            )
        } catch {
            throw CommandFailure(.failed, error.message)
        }
        try console.print(VerifiedReceiptLine(receipt: verified), asJSON: common.json)
        if root.isEmpty {
            console.notice("This proves only that this daemon signed the receipt; use --root with a trusted root.")
        }
    }

    private func verifier(_ console: Console) async throws -> ReceiptVerifier {
        guard root.isEmpty else {
            return try Self.verifier(files: root)
        }
        var roots: [[UInt8]] = []
        try await withQueue(console, fallback: Till.application) { roots = [try await $0.receiptRootCertificate()] }
        return try ReceiptVerifier(rootCertificates: roots)
    }

    private static func verifier(files: [String]) throws(CommandFailure) -> ReceiptVerifier {
        var roots: [[UInt8]] = []
        for path in files {
            let file = try InputFile(path: path).bytes(maximum: PEM.fileMaximumBytes)
            guard let certificates = PEM.certificates(in: file), !certificates.isEmpty else {
                throw CommandFailure(.badData, "\(path) is not a certificate in PEM or DER.")
            }
            roots += certificates
        }
        do {
            return try ReceiptVerifier(rootCertificates: roots)
        } catch {
            let names = files.joined(separator: ", ")
            throw CommandFailure(.badData, "No certificate in PEM or DER: \(names).")
        }
    }
}

/// An environment of receipts, by the name that Apple's libraries use.
struct EnvironmentArgument: ExpressibleByArgument, Sendable {
    let environment: ReceiptEnvironment

    init?(argument: String) {
        let named = ReceiptEnvironment.allCases.first { $0.rawValue.lowercased() == argument.lowercased() }
        guard let named else {
            return nil
        }
        environment = named
    }

    static var allValueStrings: [String] {
        ReceiptEnvironment.allCases.map(\.rawValue)
    }

    static var defaultCompletionKind: CompletionKind {
        .list(allValueStrings)
    }
}

/// A valid receipt.
struct VerifiedReceiptLine: OutputLine {
    let receipt: VerifiedReceipt

    private var kind: String {
        switch receipt.kind {
        case .transaction: "transaction"
        case .application: "application"
        case .renewal: "renewal"
        }
    }

    /// The kind and the application, then the other values by name.
    var text: String {
        let owner = receipt.application.map { " of \($0)" } ?? ""
        return "valid  \(kind)\(owner)  \(details.text)"
    }

    private var details: Details {
        [
            "environment": receipt.environment.rawValue,
            "signed": receipt.signedDate.timestamp,
            "product": receipt.productID,
            "identifier": receipt.transactionID,
            "original": receipt.originalTransactionID,
            "purchased": receipt.purchaseDate?.timestamp,
            "expires": receipt.expirationDate?.timestamp,
            "revoked": receipt.revocationDate?.timestamp,
        ]
    }

    var json: JSONObject {
        [
            "kind": kind,
            "application": receipt.application,
            "environment": receipt.environment.rawValue,
            "signed_date": receipt.signedDate,
            "product_id": receipt.productID,
            "transaction_identifier": receipt.transactionID,
            "original_transaction_identifier": receipt.originalTransactionID,
            "purchase_date": receipt.purchaseDate,
            "expiration_date": receipt.expirationDate,
            "revocation_date": receipt.revocationDate,
        ]
    }
}
