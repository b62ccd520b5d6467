import TillEngine
import TillModel
import Testing

@Suite("Every ledger: the room that downloads take")
struct LedgerDownloadSpaceTests {
    @Test(arguments: LedgerKind.allCases)
    func ofAnAccountIsThatOfAllItsQueues(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let names = [("notes", "anna"), ("draw", "anna"), ("notes", "bert")]
            for (number, name) in names.enumerated() {
                let queue = try await ledger.makeQueue(QueueName(application: name.0, account: name.1))
                let record = try await ledger.insert(.sample(queue, revision: 1))
                let length = Int64([1, 100, 10_000][number])
                _ = try await ledger.insert([.sample(record, length: length, state: .active)])
            }
            #expect(try await ledger.read { try $0.downloadBytes(ofAccount: "anna") } == 101)
            #expect(try await ledger.read { try $0.downloadBytes(ofAccount: "bert") } == 10_000)
            for account in ["", "ann", "ANNA"] {
                #expect(try await ledger.read { try $0.downloadBytes(ofAccount: account) } == 0)
            }
        }
    }

    /// What downloads take together, each of length 1000 and size 7.
    private static let rows: [([DownloadState], Int64)] = [
        ([], 0), ([.waiting], 0), ([.active], 1_000), ([.paused], 1_000), ([.finished], 7), ([.failed], 0),
        ([.cancelled], 0), (DownloadState.allCases, 2_007), ([.finished, .finished], 14),
    ]

    @Test(arguments: LedgerKind.allCases, rows)
    func isTheSizeOnceFinishedAndTheLengthBefore(_ kind: LedgerKind, _ row: ([DownloadState], Int64)) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            _ = try await ledger.insert(row.0.map { .sample(record, state: $0, size: 7) })
            #expect(try await ledger.read { try $0.downloadBytes(ofAccount: someQueue.account) } == row.1)
        }
    }

    @Test(arguments: LedgerKind.allCases, [[Int64.max], [.max, .max], [.max, 0, 1, .max - 1]])
    func isAtMostWhatANumberHolds(_ kind: LedgerKind, _ sizes: [Int64]) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            _ = try await ledger.insert(sizes.map { .sample(record, state: .finished, size: $0) })
            #expect(try await ledger.read { try $0.downloadBytes(ofAccount: someQueue.account) } == .max)
        }
    }
}
