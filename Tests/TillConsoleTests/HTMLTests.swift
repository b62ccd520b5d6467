import Testing
@testable import TillConsole

/// What clients send is shown as text.
@Suite struct HTMLTests {
    @Test(arguments: [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("\" onmouseover=\"x", "&quot; onmouseover=&quot;x"),
        ("' & ;", "&#39; &amp; ;"),
        ("a\u{202E}b", "a\u{FFFD}b"),
        ("", ""),
        ("Ünïcode 🪙", "Ünïcode 🪙"),
    ])
    func aValueIsEscaped(value: String, text: String) {
        let html: HTML = "<p title=\"\(value)\">\(value)</p>"
        #expect(html.text == "<p title=\"\(text)\">\(text)</p>")
    }

    @Test func htmlIsNotEscapedAgain() {
        let cell: HTML = "<b>\("<")</b>"
        let row: HTML = "\([cell, cell])\(cell)\(7)"
        #expect(row.text == "<b>&lt;</b><b>&lt;</b><b>&lt;</b>7")
    }

    @Test func aTableNamesTheColumnOfEachCell() {
        let table = HTML.table("Caption", ["A", "B"], [["1", "2"]], orElse: "None.")
        #expect(table.text.contains("<td data-label=\"A\"><div>1</div></td><td data-label=\"B\"><div>2</div></td>"))
        #expect(HTML.table("Caption", ["A"], [], orElse: "None.").text.contains("None."))
    }
}
