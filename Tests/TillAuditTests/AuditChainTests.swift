import FoundationEssentials
import Testing
import TillAudit
import TillModel

@Suite struct AuditChainTests {
    @Test func anUntouchedLogIsIntact() throws {
        let links = Self.links(20)
        let last = try #require(links.last)
        let head = AuditHead(sequence: 20, hash: last.hash)
        #expect(AuditChain.verify(links, after: .start) == .intact(head))
        #expect(AuditChain.verify([], after: .start) == .intact(.start))
    }

    @Test func pagesAreVerifiedOneAfterAnother() {
        let links = Self.links(20)
        var head = AuditHead.start
        for page in stride(from: 0, to: 20, by: 7) {
            guard case .intact(let next) = AuditChain.verify(links[page..<min(20, page + 7)], after: head) else {
                Issue.record("The page from \(page) is broken.")
                return
            }
            head = next
        }
        #expect(head.sequence == 20)
    }

    /// Computed apart from this code, from the table in the documentation.
    @Test(arguments: [
        (host: "", hash: "c8278018c745620d0da9f187cf8af02189ae444dfd4f178cab8ac69dd9c837cf"),
        ("kiosk-1", "c0be0586da51b4eba8d7f9957c26cb0f6d95110a854202712c85ab6782a91aeb"),
    ])
    func theEncodingIsTheDocumentedOne(host: String, hash: String) {
        let link = Self.link(
            sequence: 1,
            date: Date(millisecondsSince1970: 1_800_000_000_123),
            uid: 1000,
            host: host,
            texts: ["Refund", "a", "", "ü"],
            after: AuditHead.start.hash
        )
        #expect(AuditChain.hash(of: link).hexadecimal == hash)
    }

    @Test(arguments: 0..<11, [1, 10, 20])
    func anyChangedFieldIsFound(field: Int, place: Int) {
        var links = Self.links(20)
        Self.change(field, of: &links[place - 1])
        let expected: AuditFlaw =
            switch field {
            case 0: .outOfOrder
            case 7: .detached
            default: .changed
            }
        #expect(AuditChain.verify(links, after: .start) == .broken(at: Int64(place), expected))
    }

    @Test(arguments: 1...19)
    func aRehashedChangeBreaksTheNextLink(place: Int) {
        var links = Self.links(20)
        links[place - 1].reason += "!"
        links[place - 1].hash = AuditChain.hash(of: links[place - 1])
        #expect(AuditChain.verify(links, after: .start) == .broken(at: Int64(place) + 1, .detached))
    }

    @Test(arguments: 1...19)
    func aRemovedLinkIsFound(place: Int) {
        var links = Self.links(20)
        links.remove(at: place - 1)
        #expect(AuditChain.verify(links, after: .start) == .broken(at: Int64(place), .outOfOrder))
    }

    @Test(arguments: 1...19)
    func aLinkRemovedAndTheRestRenumberedIsFound(place: Int) {
        var links = Self.links(20)
        links.remove(at: place - 1)
        for index in links.indices {
            links[index].sequence = Int64(index) + 1
        }
        #expect(AuditChain.verify(links, after: .start) == .broken(at: Int64(place), .detached))
    }

    @Test(arguments: 1...20)
    func anInsertedLinkIsFound(place: Int) {
        var links = Self.links(20)
        let previous = place == 1 ? AuditHead.start.hash : links[place - 2].hash
        let forged = Self.link(
            sequence: Int64(place),
            date: .distantPast,
            uid: 0,
            texts: ["Refund", "x", "y", "z"],
            after: previous
        )
        links.insert(forged, at: place - 1)
        #expect(AuditChain.verify(links, after: .start) == .broken(at: Int64(place) + 1, .outOfOrder))
    }

    @Test(arguments: 1...19)
    func twoLinksThatChangedPlacesAreFound(place: Int) {
        var links = Self.links(20)
        links.swapAt(place - 1, place)
        #expect(AuditChain.verify(links, after: .start) == .broken(at: Int64(place), .outOfOrder))
    }

    @Test func textsThatRunIntoEachOtherHaveDifferentHashes() {
        let splits = [["ab", "c", "", ""], ["a", "bc", "", ""], ["", "abc", "", ""], ["abc", "", "", ""]]
        let hashes = splits.map { texts in
            Self.link(sequence: 1, date: .distantPast, uid: 0, texts: texts, after: AuditHead.start.hash).hash
        }
        #expect(Set(hashes).count == splits.count)
    }

    @Test func noLinkFollowsTheLastNumber() {
        let head = AuditHead(sequence: .max, hash: AuditHead.start.hash)
        #expect(AuditChain.verify(Self.links(1), after: head) == .broken(at: .max, .outOfOrder))
    }

    private static func links(_ count: Int64) -> [AuditLink] {
        var links: [AuditLink] = []
        for sequence in 1...count {
            links.append(
                link(
                    sequence: sequence,
                    date: Date(millisecondsSince1970: 1_800_000_000_000 + sequence),
                    uid: 1000,
                    host: sequence % 2 == 0 ? "kiosk-1" : "",
                    texts: ["Refund", "subject \(sequence)", "quantity=1", "asked by phone"],
                    after: links.last?.hash ?? AuditHead.start.hash
                )
            )
        }
        return links
    }

    private static func link(
        sequence: Int64,
        date: Date,
        uid: UInt32,
        host: String = "",
        texts: [String],
        after previousHash: [UInt8]
    ) -> AuditLink {
        var link = AuditLink(
            sequence: sequence,
            date: date,
            uid: uid,
            host: host,
            action: texts[0],
            subject: texts[1],
            detail: texts[2],
            reason: texts[3],
            previousHash: previousHash,
            hash: []
        )
        link.hash = AuditChain.hash(of: link)
        return link
    }

    private static func change(_ field: Int, of link: inout AuditLink) {
        switch field {
        case 0: link.sequence += 100
        case 1: link.date.addTimeInterval(0.001)
        case 2: link.uid += 1
        case 3: link.action += " "
        case 4: link.subject = ""
        case 5: link.detail += "0"
        case 6: link.reason = "another"
        case 7: link.previousHash[31] ^= 1
        case 8: link.host += "2"
        case 9: link.host = link.host.isEmpty ? "0" : ""
        default: link.hash[0] ^= 0x80
        }
    }
}
