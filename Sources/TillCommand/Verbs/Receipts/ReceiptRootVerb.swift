import ArgumentParser
import TillClient
import TillCrypto

struct ReceiptRootVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "root",
        abstract: "Print the certificate that verifies all receipts of the daemon.",
        discussion: """
            In PEM, or with --der as Apple's libraries take it. It proves something only to who got it in a way that can \
            be trusted.

            Example: till receipt root --der -o root.cer
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var output: OutputOption

    @Flag(help: "Write it in DER, which needs -o.")
    var der = false

    func validate() throws {
        guard !der || output.path != nil else {
            throw ValidationError("--der is not text; name a file with -o.")
        }
    }

    func run(_ console: Console) async throws {
        try await withQueue(console, fallback: Till.application) { queue in
            let certificate = try await queue.receiptRootCertificate()
            let text = CertificateOutput(lines: PEM.encode(certificate))
            guard let file = output.file else {
                return try console.print(text, asJSON: common.json)
            }
            try file.write(der ? certificate : Array(text.lines.map { "\($0)\n" }.joined().utf8))
        }
    }
}
