import FoundationEssentials
import Testing
import TillAudit
import TillModel
import TillOutput
@testable import TillCommand

@Suite struct AuditVerificationTests {
    private static let links = chain(3)

    private static func chain(_ count: Int64) -> [AuditLink] {
        var previous = AuditHead.start.hash
        return (0..<count).map { number in
            var link = AuditLink(
                sequence: number + 1,
                date: Date(millisecondsSince1970: 1_772_357_400_250 + number),
                uid: 1000,
                action: "Refund",
                subject: "t\(number)",
                detail: "quantity=1",
                reason: "Crash.",
                previousHash: previous,
                hash: []
            )
            link.hash = AuditChain.hash(of: link)
            previous = link.hash
            return link
        }
    }

    private func verify(_ links: [AuditLink], expected: String? = nil) -> AuditVerificationLine {
        var verification = AuditVerification(expected: expected)
        links.forEach { verification.look(at: $0) }
        return verification.result
    }

    @Test func anUnchangedLogIsIntact() throws {
        let line = verify(Self.links)
        let last = try #require(Self.links.last).hash.hexadecimal
        #expect(line.fault == nil)
        #expect(line.text == "3 entries intact, the last hash is \(last)")
        #expect(try line.json.text() == #"{"is_intact":true,"last_hash":"\#(last)","links":3}"#)
        #expect(verify([Self.links[0]]).text.hasPrefix("1 entry intact"))
    }

    @Test func anEmptyLogIsIntact() {
        let zeros = String(repeating: "0", count: 64)
        #expect(verify([]).text == "0 entries intact, the last hash is \(zeros)")
        #expect(verify(Self.links, expected: zeros).fault == nil, "the log was empty at the time of the hash")
    }

    @Test func theFirstBadEntryIsNamed() throws {
        var changed = Self.links
        changed[1].reason = "Nothing."
        let line = verify(changed)
        #expect(line.fault == "entry 2 was changed after it was written.")
        #expect(
            try line.json.text() == """
                {"first_bad_sequence":2,"flaw":"changed","is_intact":false,\
                "last_hash":"\(Self.links[0].hash.hexadecimal)","links":1}
                """
        )
        #expect(verify([Self.links[0], Self.links[2]]).fault?.hasPrefix("entry 2 is out of order") == true)
        var exchanged = Self.links
        exchanged[1].previousHash[0] ^= 1
        #expect(verify(exchanged).fault?.hasPrefix("entry 2 does not follow the previous entry") == true)
    }

    @Test func anExpectedHashHasToBeInTheLog() {
        let noted = Self.links[1].hash.hexadecimal
        let grown = verify(Self.links, expected: noted)
        #expect(grown.fault == nil)
        #expect(grown.text.hasSuffix("; entry 2 has the expected hash"))
        #expect(grown.expectedSequence == 2)
        let cut = verify([Self.links[0]], expected: noted)
        #expect(cut.fault == "no entry has the expected hash, so the log was truncated or rewritten.")
    }

    @Test func anEntryIsOneLine() throws {
        let link = try #require(Self.links.first)
        #expect(
            AuditLine(link: link).text
                == "1  2026-03-01T09:30:00.250Z  uid:1000  Refund  t0  quantity=1  reason: Crash."
        )
        #expect(
            try AuditLine(link: link).json.text() == """
                {"action":"Refund","date":"2026-03-01T09:30:00.250Z","detail":"quantity=1",\
                "hash":"\(link.hash.hexadecimal)","previous_hash":"\(String(repeating: "0", count: 64))",\
                "reason":"Crash.","sequence":1,"subject":"t0","uid":1000}
                """
        )
    }
}
