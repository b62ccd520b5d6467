import ArgumentParser
import TillClient
import TillCrypto
import TillReceiptVerification

struct ReceiptVerifyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify a receipt: its signature, its certificates, and what it is of.",
        discussion: """
            With --root nothing is asked of a daemon. Without, the daemon's own root is taken, which proves only that \
            this daemon signed the receipt. With --application or $TILL_APPLICATION the receipt has to be of that \
            application. The exit status is 1 when it is not valid.

            Example: till receipt verify receipt --root root.pem --application org.example.notes
            """
    )

    /// An application's receipt, of some thousands of purchases.
    static let bytesMaximum = 16 << 20

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("The receipt, or - for the standard input.", valueName: "file"),
        completion: .file()
    )
    var path: String

    @Option(
        help: ArgumentHelp("A root to trust, in PEM or DER; may be repeated.", valueName: "file"),
        completion: .file()
    )
    var root: [String] = []

    @Option(help: ArgumentHelp("What the receipt has to be of.", valueName: "name"))
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
            console.notice("This proves only that the daemon asked for its root signed it; --root takes one you trust.")
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
                throw CommandFailure(.badData, "\(path) is no certificate in PEM or DER.")
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
