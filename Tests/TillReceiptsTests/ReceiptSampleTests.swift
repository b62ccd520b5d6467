import Foundation
import Testing
import TillEngine
import TillModel
import TillReceiptVerification
import TillReceipts

/// Writes receipts of every kind to files, for third-party verifiers; see `Tests/Interop/receipts`.
@Suite struct ReceiptSampleTests {
    /// The variable with the directory for the files; without it they are deleted afterwards.
    private static let variable = "TILL_RECEIPT_SAMPLES"
    private static let appAppleID: Int64 = 1_234_567_890

    @Test(arguments: [ReceiptEnvironment.sandbox, .production])
    func samplesOfAllKindsAreWritten(environment: ReceiptEnvironment) async throws {
        guard let path = ProcessInfo.processInfo.environment[Self.variable] else {
            try await inTemporaryDirectory { try await Self.write(environment, to: $0) }
            return
        }
        let directory = "\(path)/\(environment.rawValue)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try await Self.write(environment, to: directory)
    }

    private static func write(_ environment: ReceiptEnvironment, to directory: String) async throws {
        let authority = try ReceiptAuthority(
            directory: "\(directory)/keys",
            environment: environment,
            appAppleID: appAppleID,
            date: Samples.date,
            logger: Samples.quiet
        )
        var receipts = try PayloadTests.all.enumerated().map { index, sample in
            ("\(index + 1)-\(sample.testDescription)", try authority.sign(sample.facts))
        }
        try authority.rotateLeaf(at: Samples.date)
        receipts.append(("after a rotation", try authority.sign(Samples.facts())))
        let later = Samples.date.addingTimeInterval(1_000 * Samples.day)
        receipts.append(("years later", try authority.sign(Samples.facts(date: later))))
        let application = ApplicationReceiptTests.facts(receipts.map(\.1))
        receipts.append(("application", try authority.sign(application)))
        receipts.append(("application without purchases", try authority.sign(ApplicationReceiptTests.facts([]))))
        let renewals = try RenewalPayloadTests.all.enumerated().map { index, sample in
            ("renewal \(index + 1)", try authority.sign(sample.facts))
        }

        try Data(authority.rootCertificate).write(to: URL(filePath: "\(directory)/root.der"))
        let verifier = try ReceiptVerifier(rootCertificates: [authority.rootCertificate])
        for (_, receipt) in receipts {
            _ = try verifier.verify(receipt.compact, application: Samples.application, environment: environment)
        }
        for (name, receipt) in receipts + renewals {
            _ = try verifier.verify(receipt.compact, environment: environment)
            try Data(receipt.compact.utf8).write(to: URL(filePath: "\(directory)/\(name).jws"))
            var members = try receipt.members()
            members["inApp"] = nil
            try JSONEncoder().encode(members).write(to: URL(filePath: "\(directory)/\(name).json"))
        }
    }
}
