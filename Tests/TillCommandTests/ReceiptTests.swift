import Foundation
import Logging
import Testing
import TillCrypto
import TillEngine
import TillModel
import TillOutput
import TillReceiptVerification
import TillReceipts
@testable import TillCommand

/// The receipt verbs that need no daemon, with receipts that the test signs.
@Suite final class ReceiptTests {
    private static let date = Date(timeIntervalSince1970: 1_795_276_800)
    private let directory: URL
    private let authority: ReceiptAuthority
    private let receipt: String

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        authority = try ReceiptAuthority(environment: .sandbox, date: Self.date, logger: quiet)
        let facts = ApplicationReceiptFacts(
            application: "org.example.notes",
            appTransactionID: "704000000000000007",
            originalPurchaseDate: nil,
            receipts: [],
            date: Self.date
        )
        receipt = try authority.sign(facts).compact
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// Creates a file in the test's directory.
    private func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let file = directory.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }

    private func pem() -> String {
        PEM.encode(authority.rootCertificate).map { "\($0)\n" }.joined()
    }

    private func verify(
        _ path: String,
        _ options: [String],
        _ environment: [String: String] = [:]
    ) async -> (status: TillCommand.ExitStatus, console: TestConsole) {
        let console = TestConsole(environment: environment)
        let status = await Till.run(["receipt", "verify", path] + options, console.console)
        return (status, console)
    }

    @Test(arguments: [true, false])
    func aReceiptIsVerifiedAgainstARootWithoutADaemon(isPEM: Bool) async throws {
        let root = try file("root", isPEM ? Array(pem().utf8) : authority.rootCertificate)
        let path = try file("receipt", "\n \(receipt)\r\n".utf8)
        let options = ["--root", root, "--application", "org.example.notes", "--environment", "Sandbox"]
        let (status, console) = await verify(path, options)
        #expect(status == .done)
        #expect(
            console.output.values == [
                "valid  application of org.example.notes  environment=Sandbox signed=\(Self.date.timestamp)"
            ]
        )
        #expect(console.complaints.values.isEmpty)
        let json = await verify(path, options + ["--json"]).console.output.values
        #expect(
            json == [
                """
                {"application":"org.example.notes","environment":"Sandbox","kind":"application",\
                "signed_date":"\(Self.date.timestamp)"}
                """
            ]
        )
    }

    @Test func aReceiptOfAnotherSubjectIsRefused() async throws {
        let root = try file("root", pem().utf8)
        let path = try file("receipt", receipt.utf8)
        let cases: [(options: [String], environment: [String: String], message: String)] = [
            (["--application", "a"], [:], "till: The receipt belongs to the application org.example.notes."),
            ([], ["TILL_APPLICATION": "a"], "till: The receipt belongs to the application org.example.notes."),
            (["--environment", "production"], [:], "till: The receipt's environment is Sandbox."),
        ]
        for example in cases {
            let (status, console) = await verify(path, ["--root", root] + example.options, example.environment)
            #expect(status == .failed)
            #expect(console.complaints.values == [example.message])
            #expect(console.output.values.isEmpty)
        }
    }

    @Test func renewalInformationIsVerifiedWithoutAnApplication() async throws {
        let record = SubscriptionRecord(
            queue: 1,
            groupID: "g",
            original: OriginalRecord(key: 17, id: UUID(), purchasedAt: Self.date),
            latestKey: 17,
            productID: "monthly",
            renewalProductID: "monthly",
            periodStart: Self.date,
            periodEnd: Self.date,
            renewalAmount: 499,
            currency: "USD",
            dueAt: nil
        )
        let facts = RenewalFacts(subscription: record, numbering: .plain, date: Self.date)
        let root = try file("root", pem().utf8)
        let path = try file("renewal", try authority.sign(facts).compact.utf8)
        let (status, console) = await verify(path, ["--root", root])
        #expect(status == .done)
        #expect(
            console.output.values == [
                "valid  renewal  environment=Sandbox signed=\(Self.date.timestamp) product=monthly original=17"
            ]
        )
        let json = await verify(path, ["--root", root, "--json"]).console.output.values
        #expect(
            json == [
                """
                {"environment":"Sandbox","kind":"renewal","original_transaction_identifier":"17",\
                "product_id":"monthly","signed_date":"\(Self.date.timestamp)"}
                """
            ]
        )
        let refused = await verify(path, ["--root", root, "--application", "org.example.notes"])
        #expect(refused.status == .failed)
        #expect(
            refused.console.complaints.values == [
                "till: Renewal information names no application: verify it without --application and TILL_APPLICATION."
            ]
        )
    }

    @Test func aForeignRootAndAChangedReceiptAreRefused() async throws {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let other = try ReceiptAuthority(environment: .sandbox, date: Self.date, logger: quiet)
        let foreign = try file("foreign", other.rootCertificate)
        let root = try file("root", pem().utf8)
        let path = try file("receipt", receipt.utf8)
        #expect(await verify(path, ["--root", foreign]).status == .failed)
        #expect(await verify(path, ["--root", foreign, "--root", root]).status == .done)
        var bytes = Array(receipt.utf8)
        let middle = bytes.count - 100
        bytes[middle] = bytes[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let changed = try file("changed", bytes)
        #expect(await verify(changed, ["--root", root]).status == .failed)
    }

    @Test func unusableFilesAreNamed() async throws {
        let root = try file("root", pem().utf8)
        let path = try file("receipt", receipt.utf8)
        let none = directory.appending(path: "none").path
        let junk = try file("junk", "text".utf8)
        let broken = try file("broken", "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n".utf8)
        let empty = try file("empty", [])
        let cases: [(path: String, root: String, message: String)] = [
            (none, root, "till: \(none) cannot be read."), (path, none, "till: \(none) cannot be read."),
            (empty, root, "till: \(empty) is empty."),
            (path, junk, "till: No certificate in PEM or DER: \(junk)."),
            (path, broken, "till: \(broken) is not a certificate in PEM or DER."),
        ]
        for example in cases {
            let (status, console) = await verify(example.path, ["--root", example.root])
            #expect(status == .badData)
            #expect(console.complaints.values == [example.message])
        }
        let large = try file("large", [UInt8](repeating: 0, count: PEM.fileMaximumBytes + 1))
        let complaint = await verify(path, ["--root", large]).console.complaints.values.first
        #expect(complaint?.contains("exceeds the limit") == true)
    }

    @Test func aCertificateInTextIsReadAsItWasWritten() {
        for count in [1, 47, 48, 49, 1000] {
            let der = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let text = PEM.encode(der)
            #expect(text.allSatisfy { $0.count <= 64 })
            #expect(PEM.certificates(in: Array(text.joined(separator: "\r\n").utf8)) == [der])
            let two = (["a comment"] + text + [""] + text).joined(separator: "\n")
            #expect(PEM.certificates(in: Array(two.utf8)) == [der, der])
            #expect(PEM.certificates(in: Array(text.dropLast().joined(separator: "\n").utf8)) == nil)
        }
        #expect(PEM.certificates(in: [0x30, 0]) == [[0x30, 0]])
    }

    @Test func aReceiptIsDecodedWithoutBeingVerified() throws {
        let payload = try ReceiptText(receipt).payload()
        #expect(payload.contains(#""bundleId":"org.example.notes""#))
        let console = TestConsole()
        try console.console.print(ReceiptLine(receipt: receipt), decoded: true, asJSON: false)
        #expect(console.output.values == [payload])
        for text in ["", "a.b", "a.!.c", "a.b.c.d"] {
            #expect(throws: CommandFailure.self) { try ReceiptText(text).payload() }
        }
    }

    @Test func aReceiptIsAnObjectInJSON() throws {
        let line = ReceiptLine(receipt: "a.b.c", transactionID: UUID(high: 0, low: 1))
        #expect(line.text == "a.b.c")
        #expect(
            try line.json.text() == #"{"receipt":"a.b.c","transaction_id":"00000000-0000-0000-0000-000000000001"}"#
        )
        #expect(try CertificateOutput(lines: ["a", "b"]).json.text() == #"{"certificate":"a\nb\n"}"#)
    }
}
