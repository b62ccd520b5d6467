import Testing

/// What is blanked, and what is kept, of Swift's texts and comments.
@Suite struct SwiftCodeTests {
    @Test(
        arguments: [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            (#"a("b")c"#, #"a(" ")c"#),
            (#"a("b\"c")d"#, #"a("    ")d"#),
            (#"a("b\(c)d")e"#, #"a("  (c) ")e"#),
            (#"a("b\(c("d"))e")f"#, #"a("  (c(" ")) ")f"#),
            (##"a(#"b"\(c)"#)d"##, ##"a(#"      "#)d"##),
            ("a(\"\"\"\nb \"c\"\n\"\"\")d", "a(\"\"\"\n     \n\"\"\")d"),
            ("a(/b\\/\"c/)d", "a(       )d"),
            ("a / b / \"c\"", "a / b / \" \""),
        ] as [(String, String)]
    )
    func textsAndCommentsAreBlanked(_ text: String, _ code: String) {
        #expect(SwiftCode.blankingTexts(of: text) == code)
    }

    @Test(arguments: ["\"", "/*", "\"\\(", "\"\"\"", "#", "/", "a(/b", "\\", "", "\"\\"])
    func whatDoesNotEndIsReadToItsEnd(_ text: String) {
        #expect(SwiftCode.blankingTexts(of: text).count == text.count)
    }

    @Test func linesStayWhereTheyWere() throws {
        let files = try Repository.files().filter(\.isSwift)
        #expect(!files.isEmpty)
        for file in files {
            #expect(file.codeLines.map(\.utf8.count) == file.lines.map(\.utf8.count), "\(file.path)")
        }
    }
}
