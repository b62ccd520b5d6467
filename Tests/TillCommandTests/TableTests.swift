import Testing
import TillOutput
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

    @Test(arguments: [
        ("4,99 \u{202E}€ 0", "4,99 \u{FFFD}€ 0"), ("a\u{2067}b\u{2069}", "a\u{FFFD}b\u{FFFD}"), ("👩‍👧", "👩‍👧"),
        ("\u{200F}١٢", "\u{200F}١٢"),
    ])
    func bidirectionalControlsDoNotReachATerminal(text: String, printed: String) {
        #expect(Table(headings: ["A"], rows: [[text]]).lines == ["A", printed])
    }

    @Test func aRowMayBeShort() {
        #expect(Table(headings: ["A", "B"], rows: [["x"], []]).lines == ["A  B", "x", ""])
    }
}
