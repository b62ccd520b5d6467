import Testing
@testable import TillCommand

@Suite struct TableTests {
    @Test func columnsAreAsWideAsTheirWidestCell() {
        let table = Table(headings: ["ID", "NAME", "PRICE"], rows: [["a", "Münzen", "1 €"], ["long", "x", ""]])
        #expect(
            table.lines == [
                "ID    NAME    PRICE",
                "a     Münzen  1 €",
                "long  x",
            ]
        )
    }

    @Test func controlCharactersDoNotReachATerminal() {
        let table = Table(headings: ["A"], rows: [["\u{1B}[31mred\n"]])
        #expect(table.lines == ["A", "\u{FFFD}[31mred\u{FFFD}"])
        let console = TestConsole()
        console.console.notice("a\u{07}b")
        #expect(console.complaints.values == ["till: a\u{FFFD}b"])
    }

    @Test func aRowMayBeShort() {
        #expect(Table(headings: ["A", "B"], rows: [["x"], []]).lines == ["A  B", "x", ""])
    }
}
