import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: history, audit log and settings")
struct LedgerBookTests {
    @Test(arguments: LedgerKind.allCases)
    func historyIsPrunedByTransactionAndKind(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert([.sample(queue, revision: 1), .sample(queue, revision: 2)])
            let kinds: [HistoryRecord.Kind] = [.change, .delivery, .change, .providerCall, .change, .delivery, .change]
            let entries = kinds.enumerated().map { HistoryRecord.sample(records[0].key, $1, "entry \($0)") }
            let other = HistoryRecord.sample(records[1].key, .change, "other")
            try await ledger.commit { writer in
                try writer.append(other, keeping: 2)
                for entry in entries {
                    try writer.append(entry, keeping: 2)
                }
            }
            try await ledger.read { reader throws in
                #expect(try reader.history(ofTransaction: records[0].key) == [1, 3, 4, 5, 6].map { entries[$0] })
                #expect(try reader.history(ofTransaction: records[1].key) == [other])
                #expect(try reader.history(ofTransaction: 77).isEmpty)
            }
            let last = HistoryRecord.sample(records[0].key, .change, "last")
            try await ledger.commit { try $0.append(last, keeping: 1) }
            let kept = [1, 3, 5].map { entries[$0] }
            #expect(try await ledger.read { try $0.history(ofTransaction: records[0].key) } == kept + [last])
            for count in [0, -1] {
                try await ledger.commit { try $0.append(last, keeping: count) }
                #expect(try await ledger.read { try $0.history(ofTransaction: records[0].key) } == kept)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func pruningTakesTheReceiptAndTheHistoryAlone(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            var signed = TransactionRecord.sample(queue, revision: 1, state: .purchased, finishedAt: time(5))
            signed.receipt = SignedReceipt(header: "header", body: "payload.signature")
            var unfinished = TransactionRecord.sample(queue, revision: 2, state: .purchased)
            unfinished.receipt = signed.receipt
            var revoked = TransactionRecord.sample(queue, revision: 3, state: .purchased, finishedAt: time(5))
            revoked.isRevocationPending = true
            let failed = TransactionRecord.sample(queue, revision: 4, state: .failed, finishedAt: time(5))
            let bare = TransactionRecord.sample(queue, revision: 5, state: .failed, finishedAt: time(5))
            let records = try await ledger.insert([signed, unfinished, revoked, failed, bare])
            let keys = records.map(\.key)
            try await ledger.commit { writer in
                for key in keys.dropLast() {
                    try writer.append(.sample(key, .change, "entry"), keeping: 9)
                }
                _ = try writer.insert(ChargeRecord.sample(queue, keys[0], state: .succeeded))
            }
            let before = try await ledger.read { try $0.charge(forTransaction: keys[0]) }
            let all = keys[0]...keys[4]
            #expect(try await ledger.read { try $0.unprunedTransactions(in: all) } == [records[0], records[3]])
            #expect(try await ledger.read { try $0.unprunedTransactions(in: keys[1]...keys[3]) } == [records[3]])
            try await ledger.commit { writer in
                try writer.prune(keys[0])
                #expect(try writer.unprunedTransactions(in: all) == [records[3]])
                try writer.prune(keys[3])
            }
            try await ledger.read { reader throws in
                #expect(try reader.unprunedTransactions(in: all).isEmpty)
                var pruned = records[0]
                pruned.receipt = nil
                #expect(try reader.transaction(key: keys[0]) == pruned)
                #expect(try reader.history(ofTransaction: keys[0]).isEmpty)
                #expect(try reader.charge(forTransaction: keys[0]) == before)
                #expect(try reader.transaction(key: keys[3]) == records[3])
                #expect(try reader.history(ofTransaction: keys[3]).isEmpty)
                #expect(try reader.history(ofTransaction: keys[1]).count == 1)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func pruningNeedsATransaction(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let error = await #expect(throws: TillError.self) { try await ledger.commit { try $0.prune(77) } }
            #expect(error?.code == .notFound)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func historyNeedsItsTransaction(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let error = await #expect(throws: TillError.self) {
                try await ledger.commit { try $0.append(.sample(77, .change, "nothing"), keeping: 9) }
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func auditLogHasNoGapsAndComesInOrder(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            #expect(try await ledger.read { try $0.lastAudit() } == nil)
            let links = (1...5).map { AuditLink.sample($0) }
            for (sequence, link) in zip(Int64(1)..., links) {
                for wrong in [sequence - 1, sequence + 1] {
                    let error = await #expect(throws: TillError.self) {
                        try await ledger.commit { try $0.append(AuditLink.sample(wrong)) }
                    }
                    #expect(error?.code == .failedPrecondition)
                }
                try await ledger.commit { try $0.append(link) }
                #expect(try await ledger.read { try $0.lastAudit() } == link)
            }
            try await ledger.read { reader throws in
                #expect(try reader.audit(after: 0, limit: 99) == links)
                #expect(try reader.audit(after: 2, limit: 2) == Array(links[2..<4]))
                #expect(try reader.audit(after: 5, limit: 9).isEmpty)
                #expect(try reader.audit(after: 0, limit: -1).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func settingIsSetReplacedAndTakenBack(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let steps: [(name: String, value: String?, expected: [String: String])] = [
                ("locale", nil, [:]), ("locale", "en-US", ["locale": "en-US"]),
                ("time-rate", "", ["locale": "en-US", "time-rate": ""]),
                ("locale", "de-DE", ["locale": "de-DE", "time-rate": ""]), ("locale", nil, ["time-rate": ""]),
            ]
            for step in steps {
                try await ledger.commit { try $0.setSetting(step.name, to: step.value) }
                #expect(try await ledger.read { try $0.settings() } == step.expected)
            }
        }
    }
}

extension HistoryRecord {
    fileprivate static func sample(_ transaction: Int64, _ kind: Kind, _ detail: String) -> HistoryRecord {
        HistoryRecord(transactionKey: transaction, date: time(0), kind: kind, actor: "tilld", detail: detail)
    }
}

extension AuditLink {
    fileprivate static func sample(_ sequence: Int64) -> AuditLink {
        AuditLink(
            sequence: sequence,
            date: time(Int(sequence)),
            uid: .max,
            host: sequence % 2 == 0 ? "kiosk-1" : "",
            action: "Refund",
            subject: "a\u{1}b",
            detail: "caf\u{E9}",
            reason: "",
            previousHash: Array(repeating: UInt8(truncatingIfNeeded: sequence), count: 32),
            hash: Array(0..<32)
        )
    }
}
