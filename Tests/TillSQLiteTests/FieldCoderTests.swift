import FoundationEssentials
import TestValues
import Testing
import TillEngine
import TillModel

@testable import TillSQL
@testable import TillSQLite

@Suite("Fields of the SQLite ledger's rows")
struct FieldCoderTests {
    /// The row as the ledger reads it back from its columns and its detail.
    private static func read(_ detail: [UInt8], of row: TransactionRow) throws -> TransactionRow {
        var reader = FieldReader(detail)
        let record = try TransactionRecord(&reader, TransactionColumns(row.transaction), nil)
        let charge = try reader.nestedIfPresent(TransactionRecord.chargeTag, nil) { reader, _ in
            try ChargeRecord(&reader, of: record, in: { someQueue }, nil)
        }
        return TransactionRow(stored: record, charge: charge, history: row.history)
    }

    private static func row(_ record: TransactionRecord, charge: ChargeRecord? = nil) -> TransactionRow {
        var row = TransactionRow(inserting: record)
        row.charge = charge
        row.transaction.receipt = nil
        return row
    }

    private static func whole(_ text: String = "text") -> TransactionRow {
        var record = TransactionRecord.whole(3, subscription: 7, text)
        record.key = 9
        record.original = OriginalRecord(key: 2, id: UUID(), purchasedAt: time(-4))
        record.repeats = .min
        var charge = ChargeRecord.sample(3, 9, subscription: .max)
        charge.key = 9
        charge.attempts = 4
        charge.reference = text
        charge.request.amount = .min
        charge.request.application = text
        charge.request.account = text + "!"
        return row(record, charge: charge)
    }

    @Test(arguments: ["text", "", "caf\u{E9}", "cafe\u{301}", "a\u{0}b", String(repeating: "x", count: 20_000)])
    func aRowIsReadAsItWasWritten(_ text: String) throws {
        var row = Self.whole(text)
        let detail = try row.encodeDetail { someQueue }
        let found = try Self.read(detail, of: row)
        #expect(found.transaction == row.transaction)
        #expect(found.charge == row.charge)
        #expect(found.transaction.error?.message.utf8.elementsEqual(text.utf8) == true)
    }

    /// What a consumable's row costs: a change of this is a change of the file's format.
    @Test func theDetailOfAPaymentIsShort() throws {
        let id = try #require(UUID(uuidString: "01990000-0000-7000-8000-00000000000A"))
        var record = TransactionRecord(
            key: 9,
            queue: 3,
            id: id,
            payment: Payment(id: id, productID: "coins"),
            productType: .consumable,
            state: .purchasing,
            revision: 1,
            createdAt: Date(millisecondsSince1970: 1_000)
        )
        record.blocker = .provider
        record.sale = SaleRecord(
            amount: 99,
            currency: "EUR",
            storefront: Storefront(countryCode: "DEU", identifier: "143443")
        )
        let charge = ChargeRecord(
            key: 9,
            transactionKey: 9,
            queue: 3,
            request: ChargeRequest(
                paymentID: id,
                application: someQueue.application,
                account: someQueue.account,
                productID: "coins",
                quantity: 1,
                amount: 99,
                currency: "EUR"
            ),
            state: .open,
            createdAt: Date(millisecondsSince1970: 1_000),
            dueAt: Date(millisecondsSince1970: 1_500)
        )
        var row = Self.row(record, charge: charge)
        let detail = try row.encodeDetail { someQueue }
        #expect(
            detail.hexadecimal
                == "0800" + "4001" + "6a0f" + "0a0d" + "0a03444555" + "1206313433343433"
                + "820208" + "0801" + "18e807" + "20dc0b"
        )
    }

    /// The ledger keeps what it wrote, and must not tell other dates than those that it would read.
    @Test func aWrittenRowHasDatesAsTheyAreRead() throws {
        var row = Self.whole()
        let exact = Date(timeIntervalSince1970: 1_700_000_000.123_456)
        row.transaction.createdAt = exact
        row.transaction.state = .purchasing
        row.transaction.deadline = exact
        row.transaction.revocation?.date = exact
        row.charge?.dueAt = exact
        let before = row
        let detail = try row.encodeDetail { someQueue }
        #expect(row.transaction != before.transaction)
        let found = try Self.read(detail, of: before)
        #expect(found.transaction == row.transaction)
        #expect(found.charge == row.charge)
    }

    @Test func fieldsThatAreNotDescribedAreSkipped() throws {
        let row = Self.whole()
        var writer = FieldWriter()
        _ = try TransactionRecord(&writer, TransactionColumns(row.transaction), row.transaction)
        _ = writer.integerIfPresent(27, 1)
        _ = writer.textIfPresent(28, "of a newer Till")
        _ = try writer.nestedIfPresent(TransactionRecord.chargeTag, row.charge) { writer, charge in
            try ChargeRecord(&writer, of: row.transaction, in: { someQueue }, charge)
        }
        _ = writer.integerIfPresent(40, 1)
        let found = try Self.read(writer.bytes, of: row)
        #expect(found.transaction == row.transaction && found.charge == row.charge)
    }

    /// Bytes of a damaged disk are read as something or are refused; they never end the process.
    @Test(arguments: 0..<20)
    func noBytesEndTheReader(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var row = Self.whole()
        let written = try row.encodeDetail { someQueue }
        for _ in 0..<500 {
            var bytes = written
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            do {
                _ = try Self.read(bytes, of: row)
                _ = try PackedHistory(bytes).entries(ofTransaction: 1)
                var history = PackedHistory(bytes)
                try history.append(
                    HistoryRecord(transactionKey: 1, date: time(0), kind: .change, actor: "", detail: ""),
                    keeping: 1
                )
                _ = PackedReceipt.body(of: bytes)
            } catch is UnreadableField {
            }
        }
    }
}

@Suite("Receipts in the SQLite ledger's rows")
struct PackedReceiptTests {
    @Test(arguments: [
        ("eyJhIjoxfQ.c2lnbmF0dXJl", 1 + 9 + 7), ("A.B", nil), ("no receipt", nil), ("", nil), (".", nil), ("AA.", nil),
        (".AA", 2), ("a.b.c", nil), ("eyJhIjoxfR.AA", nil), ("eyJhIjoxfQ==.AA", nil), ("caf\u{E9}.AA", nil),
        (String(repeating: "AAAA", count: 100) + "." + String(repeating: "AAAA", count: 86), nil),
    ])
    func aBodyIsReadAsItWasWritten(_ body: String, packedCount: Int?) {
        let bytes = PackedReceipt.bytes(of: body)
        #expect(bytes.count == packedCount ?? body.utf8.count + 1)
        #expect(PackedReceipt.body(of: bytes) == body)
    }

    @Test func aBodyThatIsNotTextIsRefused() {
        #expect(PackedReceipt.body(of: [0, 0xFF]) == nil)
        #expect(PackedReceipt.body(of: []) == nil)
    }
}
