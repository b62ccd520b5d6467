import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: values come back as they went in")
struct LedgerValueTests {
    static let texts = [
        "", "anna", "caf\u{E9}", "cafe\u{301}",
        "👩‍👩‍👧‍👦", "a\u{0}b", "\u{FFFD}", "\n\t'\";--", "\u{10FFFF}",
    ]

    @Test(arguments: LedgerKind.allCases, texts.map(Optional.some) + [nil])
    func usernameKeepsItsBytes(_ kind: LedgerKind, _ username: String?) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1, username: username))
            let found = try await ledger.read { try $0.transaction(key: record.key) }
            #expect(found == record)
            #expect(found?.payment.applicationUsername.map { Array($0.utf8) } == username.map { Array($0.utf8) })
        }
    }

    @Test(arguments: LedgerKind.allCases, [nil, [], [0], Array(0...255)] as [[UInt8]?])
    func requestDataKeepsItsBytes(_ kind: LedgerKind, _ data: [UInt8]?) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            var record = TransactionRecord.sample(queue, revision: 1)
            record.payment.requestData = data
            let stored = try await ledger.insert(record)
            let found = try await ledger.read { try $0.transaction(key: stored.key) }
            #expect(found == stored)
            #expect(found?.payment.requestData == data)
        }
    }

    @Test(arguments: LedgerKind.allCases, texts)
    func wholeTransactionComesBack(_ kind: LedgerKind, _ text: String) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let discount = PaymentDiscount(
                identifier: text,
                keyIdentifier: text,
                nonce: UUID(),
                signature: text,
                timestamp: Date(millisecondsSince1970: 1_700_000_000_123)
            )
            var record = TransactionRecord.sample(queue, revision: 1, state: .failed)
            record.revision = UInt64(Int64.max)
            record.payment.id = UUID()
            record.payment.productID = text
            record.payment.quantity = 10
            record.payment.discount = discount
            record.payment.simulatesAskToBuyInSandbox = true
            record.error = PaymentError(.init(rawValue: -77), text, moneyMoved: .yes, retry: .never, providerCode: text)
            record.createdAt = Date(millisecondsSince1970: -1)
            record.finishedAt = .distantFuture
            let stored = try await ledger.insert(record)
            let found = try #require(await ledger.read { try $0.transaction(stored.id) })
            #expect(found == stored)
            #expect(found.payment.productID.utf8.elementsEqual(text.utf8))
            #expect(found.error?.message.utf8.elementsEqual(text.utf8) == true)
        }
    }

    @Test(arguments: LedgerKind.allCases, texts)
    func wholeChargeComesBack(_ kind: LedgerKind, _ text: String) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1))
            var charge = ChargeRecord.sample(queue, record.key)
            charge.request.application = text
            charge.request.account = text
            charge.request.currency = text
            charge.request.amount = .max
            charge.attempts = .max
            charge.reference = text
            let stored = charge
            try await ledger.commit { try $0.insert(stored) }
            let found = try #require(await ledger.read { try $0.charge(forTransaction: record.key) })
            #expect(found == stored)
            #expect(found.reference?.utf8.elementsEqual(text.utf8) == true)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func datesAreKeptInMilliseconds(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let date = Date(timeIntervalSince1970: 1_700_000_000.123_456)
            var record = TransactionRecord.sample(queue, revision: 1, finishedAt: date)
            record.createdAt = date
            let stored = try await ledger.insert(record)
            var charge = ChargeRecord.sample(queue, stored.key)
            charge.createdAt = date
            charge.dueAt = date
            let inserted = charge
            try await ledger.commit { try $0.insert(inserted) }
            try await ledger.read { reader throws in
                let transaction = try reader.transaction(key: stored.key)
                let charge = try reader.charge(forTransaction: stored.key)
                let dates = [transaction?.createdAt, transaction?.finishedAt, charge?.createdAt, charge?.dueAt]
                #expect(dates.allSatisfy { $0 == date.roundedToMilliseconds }, "\(dates)")
                #expect(try reader.nextChargeDue() == date.roundedToMilliseconds)
                #expect(try reader.dueCharges(at: date, limit: 9).count == 1)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func everyStateComesBack(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            for state in TransactionState.allCases {
                let record = try await ledger.insert(.sample(queue, revision: UInt64(state.rawValue), state: state))
                #expect(try await ledger.read { try $0.transaction(record.id)?.state } == state)
            }
            for state in RestoreState.allCases {
                var restore = RestoreRecord.sample(queue)
                restore.state = state
                let inserted = restore
                try await ledger.commit { try $0.insert(inserted) }
                #expect(try await ledger.read { try $0.restore(inserted.id) } == inserted)
            }
        }
    }
}
