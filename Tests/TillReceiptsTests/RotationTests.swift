import Foundation
import Logging
import Testing
import TillEngine
import TillModel
import TillReceiptVerification
@testable import TillReceipts

/// The selection and the replacement of the signing leaf.
@Suite struct RotationTests {
    /// The days after the authority's creation, and whether the first leaf still signs then.
    @Test(arguments: [
        (0, true), (-0.9, true), (333, true), (334, false), (400, false), (3_650, false), (36_000, false),
    ])
    func aLeafSignsUntilThirtyDaysBeforeItsEnd(days: Double, isFirst: Bool) async throws {
        let authority = try Samples.authority()
        let first = try authority.sign(Samples.facts())
        let later = Samples.date.addingTimeInterval(days * Samples.day)
        let receipt = try authority.sign(Samples.facts(date: later))
        #expect((receipt.header == first.header) == isFirst)
        let verifier = try ReceiptVerifier(rootCertificates: [authority.rootCertificate])
        #expect(try verifier.verify(receipt.compact).signedDate == later)
        #expect(try verifier.verify(first.compact).signedDate == Samples.date, "old receipts stay valid")
    }

    @Test func storesWithDifferentClocksDoNotReplaceEachOthersLeaves() throws {
        let authority = try Samples.authority()
        let later = Samples.date.addingTimeInterval(2_000 * Samples.day)
        let headers = try (0..<10).map {
            try authority.sign(Samples.facts(date: $0 % 2 == 0 ? Samples.date : later)).header
        }
        #expect(Set(headers).count == 2)
    }

    @Test func aLeafIsReplacedOnDemand() async throws {
        let authority = try Samples.authority()
        let first = try authority.sign(Samples.facts())
        try authority.rotateLeaf(at: Samples.date)
        let second = try authority.sign(Samples.facts())
        #expect(first.header != second.header)
        let verifier = try ReceiptVerifier(rootCertificates: [authority.rootCertificate])
        for receipt in [first, second] {
            _ = try verifier.verify(receipt.compact)
        }
    }

    @Test func aNewLeafIsStored() async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            let later = Samples.facts(date: Samples.date.addingTimeInterval(700 * Samples.day))
            let header = try AuthorityFileTests.open(path).sign(later).header
            let again = try AuthorityFileTests.open(path)
            #expect(try again.sign(later).header == header)
        }
    }

    @Test func aLeafThatCannotBeStoredStillSigns() async throws {
        try await inTemporaryDirectory { directory in
            let path = "\(directory)/receipts"
            let lines = LogLines()
            let authority = try ReceiptAuthority(
                directory: path,
                environment: .sandbox,
                date: Samples.date,
                logger: lines.logger
            )
            try FileManager.default.removeItem(atPath: path)
            let later = Samples.facts(date: Samples.date.addingTimeInterval(700 * Samples.day))
            let receipt = try authority.sign(later)
            #expect(lines.count(.error) == 1)
            let verifier = try ReceiptVerifier(rootCertificates: [authority.rootCertificate])
            _ = try verifier.verify(receipt.compact)
            #expect(try authority.sign(later).header == receipt.header)
            #expect(lines.count(.error) == 1)
        }
    }

    /// A receipt that verifiers refuse is worse than a missing one, which can be created later.
    @Test(arguments: [-40_000.0, 36_600, 1_000_000])
    func noReceiptIsSignedWithoutAValidCertificate(days: Double) async throws {
        let lines = LogLines()
        let authority = try ReceiptAuthority(environment: .sandbox, date: Samples.date, logger: lines.logger)
        let far = Samples.facts(date: Samples.date.addingTimeInterval(days * Samples.day))
        for _ in 0..<2 {
            let error = #expect(throws: TillError.self) { try authority.sign(far) }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("Correct the clock") == true)
        }
        #expect(lines.count(.error) == 1)
        #expect(throws: TillError.self) { try authority.rotateLeaf(at: far.date) }
        let receipt = try authority.sign(Samples.facts())
        let verifier = try ReceiptVerifier(rootCertificates: [authority.rootCertificate])
        _ = try verifier.verify(receipt.compact)
    }

    /// Simulates a machine without a clock battery, before it has received the time from the network.
    @Test(arguments: [0, 60, 3_600, 86_400, 630_720_000])
    func receiptsSignedWithAResetClockAreAccepted(seconds: TimeInterval) async throws {
        let authority = try Samples.authority()
        let date = Date(timeIntervalSince1970: seconds)
        let receipt = try authority.sign(Samples.facts(date: date))
        let verifier = try ReceiptVerifier(rootCertificates: [authority.rootCertificate])
        #expect(try verifier.verify(receipt.compact).signedDate == date)
    }

    /// Within 30 days of the authorities' expiration no leaf can last longer, and yet a new leaf is not issued for each
    /// receipt.
    @Test func nearTheAuthoritiesExpirationOneLeafSigns() throws {
        let authority = try Samples.authority()
        let late = Samples.facts(date: Samples.date.addingTimeInterval(36_520 * Samples.day))
        let headers = try (0..<5).map { _ in try authority.sign(late).header }
        #expect(Set(headers).count == 1)
    }

    @Test func theNumberOfLeavesIsLimited() throws {
        let chain = try ReceiptTestChain.chain()
        let leaves = try (0..<40).compactMap {
            try SigningLeaf(chain.makeLeaf(at: ReceiptTestChain.date($0)), chain: chain)
        }
        var box = LeafCase(leaves[0])
        leaves.dropFirst().forEach { box.add($0) }
        let kept = (0..<40).count { box.valid(at: ReceiptTestChain.date($0)) != nil }
        #expect(kept == LeafCase.maximum)
        #expect(box.newest.header == leaves[39].header)
    }

    @Test func receiptsAreSignedFromManyThreadsAtOnce() async throws {
        let authority = try Samples.authority()
        let verifier = try ReceiptVerifier(rootCertificates: [authority.rootCertificate])
        try await withThrowingTaskGroup(of: SignedReceipt.self) { group in
            for index in 0..<60 {
                let date = Samples.date.addingTimeInterval(Double(index % 5) * 400 * Samples.day)
                group.addTask { try authority.sign(Samples.facts(date: date)) }
            }
            for try await receipt in group {
                _ = try verifier.verify(receipt.compact)
            }
        }
    }
}

/// A chain whose leaves expire one after another.
enum ReceiptTestChain {
    static func chain() throws -> ReceiptChain {
        let root = try ReceiptChain.makeRoot(at: Samples.date)
        return ReceiptChain(root: root, intermediate: try ReceiptChain.makeIntermediate(at: Samples.date, root: root))
    }

    /// The start of a year's leaf.
    static func date(_ year: Int) -> Date {
        Samples.date.addingTimeInterval(Double(year) * 366 * Samples.day)
    }
}
