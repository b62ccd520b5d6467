import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: downloads come back as they went in")
struct LedgerDownloadValueTests {
    @Test(arguments: LedgerKind.allCases, LedgerValueTests.texts)
    func wholeDownloadComesBack(_ kind: LedgerKind, _ text: String) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let stored = try await ledger.insert([.whole(record, text)])[0]
            let found = try #require(await ledger.read { try $0.download(stored.id) })
            #expect(found == stored)
            #expect(found.productID.utf8.elementsEqual(text.utf8))
            #expect(found.content.identifier.utf8.elementsEqual(text.utf8))
            #expect(found.content.version.utf8.elementsEqual(text.utf8))
            #expect(found.error?.message.utf8.elementsEqual(text.utf8) == true)
            #expect(found.path?.utf8.elementsEqual(text.utf8) == true)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func everyValueOfWhatADownloadHasComesBack(_ kind: LedgerKind) async throws {
        var variants: [@Sendable (inout DownloadRecord) -> Void] = []
        variants += DownloadState.allCases.map { state in { $0.state = state } }
        variants += DownloadError.Reason.allCases.map { reason in { $0.error?.reason = reason } }
        variants += [
            { $0.error = nil }, { $0.deadline = nil }, { $0.path = nil }, { $0.size = 0 }, { $0.receivedBytes = 0 },
            { $0.content.length = 0 }, { $0.run = .max }, { $0.revision = 0 },
            { $0.sha256 = Array(repeating: 0, count: 32) },
        ]
        let changes = variants
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let downloads = changes.map { change in
                var download = DownloadRecord.whole(record)
                change(&download)
                return download
            }
            let stored = try await ledger.insert(downloads)
            #expect(try await ledger.read { reader in try stored.map { try reader.download($0.id) } } == stored)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func deadlineIsKeptInMilliseconds(_ kind: LedgerKind) async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.123_456)
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            var download = DownloadRecord.sample(record)
            download.deadline = date
            let stored = try await ledger.insert([download])[0]
            for _ in 1...2 {
                let found = try await ledger.read { try $0.download(stored.id)?.deadline }
                #expect(found == date.roundedToMilliseconds)
                try await ledger.commit { try $0.update(stored) }
            }
        }
    }
}
