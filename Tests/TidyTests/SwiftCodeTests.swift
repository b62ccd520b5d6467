import Testing

/// Strings and comments of Swift are blanked, and code is kept.
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
    func stringsAndCommentsAreBlanked(_ text: String, _ code: String) {
        #expect(SwiftCode.blankingTexts(of: text) == code)
    }

    @Test(arguments: ["\"", "/*", "\"\\(", "\"\"\"", "#", "/", "a(/b", "\\", "", "\"\\"])
    func unterminatedTextIsReadToTheEnd(_ text: String) {
        #expect(SwiftCode.blankingTexts(of: text).count == text.count)
    }

    @Test func linesKeepTheirPlaces() throws {
        let files = try Repository.files().filter(\.isSwift)
        #expect(!files.isEmpty)
        for file in files {
            #expect(file.codeLines.map(\.utf8.count) == file.lines.map(\.utf8.count), "\(file.path)")
        }
    }
}
