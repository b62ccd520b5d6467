import ArgumentParser
import FoundationEssentials
import Testing
@testable import TillCommand
import TillModel

@Suite struct CSVLineTests {
    @Test(arguments: [
        (text: "uid:1000", written: "uid:1000"), ("", ""), ("a,b", #""a,b""#), (#"a "b""#, #""a ""b""""#),
        ("=SUM(A1)", "'=SUM(A1)"), ("@x", "'@x"), ("+1,2", #""'+1,2""#), ("-1", "'-1"), ("a=b", "a=b"),
    ])
    func textOfOthersStaysOneValue(text: String, written: String) {
        #expect(CSVLine(values: [.text(text), .plain("-1")]).text == "\(written),-1")
    }

    /// A line end in a value would begin a new row for a reader that splits lines.
    @Test(arguments: ["a\nb", "a\r\nb", "a\u{1B}[2Jb"])
    func controlCharactersAreReplaced(text: String) {
        let written = CSVLine(values: [.text(text)]).text
        #expect(!written.unicodeScalars.contains { $0.value < 32 })
    }

    @Test(arguments: [
        ("2026-11-01", 1_793_491_200.0), ("2026-11-01T08:30:00Z", 1_793_521_800.0), ("2024-02-29", 1_709_164_800.0),
    ])
    func datesAreInUTC(text: String, seconds: Double) throws {
        #expect(try DateArgument(parsing: text).date.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: ["", "2026", "2026-11", "2025-02-29", "2026-11-01T25:00:00Z", "2026-11-01 ", "tomorrow"])
    func otherTextIsNoDate(text: String) {
        let error = #expect(throws: ValidationError.self) { try DateArgument(parsing: text) }
        #expect(error?.message == "use a date such as 2026-11-01 or 2026-11-01T08:30:00Z, in UTC")
    }

    /// Amounts that no daemon sends, but that a peer can.
    @Test(arguments: [Int64.max, .min, -1], [LedgerEntry.Kind.charge, .refund])
    func aTotalThatCannotBeComputedIsRefused(amount: Int64, kind: LedgerEntry.Kind) throws {
        var total = DayTotal(day: "2026-11-01", currency: "USD")
        var entry = Self.entry
        entry.kind = kind
        try total.add(entry)
        entry.amount = amount
        #expect(throws: CommandFailure.self) { try total.add(entry) }
        #expect(total.line.text.hasPrefix("2026-11-01,USD,"))
        #expect(LedgerEntryRow(entry: entry).line.text.contains(",USD,"))
    }

    private static let entry = LedgerEntry(
        date: .distantPast,
        kind: .charge,
        paymentID: .init(),
        application: "a",
        account: "uid:0",
        productID: "p",
        quantity: 1,
        amount: 1,
        currency: "USD"
    )
}
