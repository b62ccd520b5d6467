/// Refused and accepted names of entries.
enum PathCorpus {
    private static let long = String(repeating: "n", count: 255)

    /// Combines a name with other components: alone, nested, first, last.
    private static func placed(_ step: String) -> [String] {
        [step, "a/\(step)", "\(step)/a", "a/\(step)/b", "a/b/c/\(step)", "./\(step)"]
    }

    private static let traversal: [String] = {
        let climbs = ["..", "../..", "../../../../../../../..", "a/..", "a/../..", "a/b/../../..", "./..", "a/./.."]
        let goals = ["", "/evil", "/etc/passwd", "/.ssh/authorized_keys", "/partial/x", "/accounts/x"]
        var names = ["a/.", "a/./b", "a/b/./c", "././a", "./.", "./../a", "a/../a"]
        climbs.forEach { climb in goals.forEach { names.append(climb + $0) } }
        names += placed("..")
        return names
    }()

    private static let absolute: [String] = {
        var names = ["/", "//", "/evil", "//evil", "/etc/passwd", "/tmp/evil", "/../evil", "/./evil", "///a", "/a/b/c"]
        (1...20).forEach { names.append(String(repeating: "/", count: $0) + "x") }
        return names
    }()

    private static let emptySteps = ["a//b", "a///b", "a//", "a/b//c", "./", ".//a", "a/", "a/b/"]

    private static let backslashes: [String] = {
        var names = ["..\\evil", "a\\b", "\\evil", "C:\\evil", "\\\\host\\share", "a/..\\..\\b", "\\", "a\\"]
        names += placed("x\\y")
        return names
    }()

    private static let controls: [String] = {
        var names = ["\n", "\r\n", "a/\u{1b}[2J", "\u{7}/a", "a\n/b"]
        for code in Array(UInt8(1)...31) + Array(UInt8(127)...159) {
            names.append("a" + String(Unicode.Scalar(code)) + "b")
        }
        return names
    }()

    private static let tooLong: [String] = {
        var names = placed(long + "n")
        (256...300).forEach { names.append(String(repeating: "l", count: $0)) }
        (86...100).forEach { names.append(String(repeating: "界", count: $0)) }
        names.append(String(repeating: "😀", count: 64))
        return names
    }()

    private static func deep(_ depth: Int) -> String {
        (1...depth).map { "d\($0)" }.joined(separator: "/")
    }

    static let refused: [[UInt8]] = {
        let groups: [[String]] = [traversal, absolute, emptySteps, backslashes, controls, tooLong, (17...60).map(deep)]
        return groups.joined().map { Array($0.utf8) } + notText
    }()

    private static let broken: [[UInt8]] = [
        [0xff], [0xfe], [0x80], [0xc3], [0xc0, 0x80], [0xc0, 0xae, 0xc0, 0xae], [0xe0, 0x80, 0xaf], [0xed, 0xa0, 0x80],
        [0xf4, 0x90, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xe2, 0x82], [0xc1, 0xbf],
    ]

    /// Invalid UTF-8, alone and within a name.
    private static let notText: [[UInt8]] = {
        var names = broken
        for bytes in broken {
            names.append([0x61] + bytes)
            names.append(bytes + [0x2f, 0x62])
            names.append([0x61, 0x2f, 0x62] + bytes)
        }
        return names
    }()

    private static let reserved = [
        "CON", "con.txt", "NUL", "PRN", "AUX", "COM1", "LPT1", "~", "~root", "-", "--", "-rf", "*", "?", "$HOME",
        "`id`",
        "$(id)", "a;b", "a|b", "a&b", "a>b", "\"", "'", "a b", " ", " a", "a ", "a.", ".a", "...", "....", ".. ", " ..",
        "..a", "a..", "..a..", "%2e%2e", "%2E%2E%2Fevil", "%00", "C:", "C:evil", "file:", "~whole", "level.1",
        ".hidden",
        ".ssh", "index.html:stream", "a:b", "{a,b}", "[a]", "!", "#", "&amp;",
    ]

    private static let scripts = [
        "é", "ñ", "ü", "ß", "ø", "Ж", "λ", "א", "ع", "界", "日本語", "한국어", "ไทย", "हिन्दी", "😀", "👩‍👩‍👧", "🇩🇪", "ﬁ", "Ⅷ",
        "．．", "‥", "…", "∕", "⁄", "＼", "\u{202e}gpj.exe", "\u{200b}", "\u{feff}a", "a\u{301}", "\u{2028}", "\u{e000}",
        "\u{10ffff}", "İ", "ı", "ſ", "K",
    ]

    static let kept: [[UInt8]] = {
        var names: [String] = [long, "a/" + long, String(repeating: "界", count: 85)]
        names += (1...16).map(deep)
        reserved.forEach { names += placed($0) }
        scripts.forEach { names += placed($0) }
        return names.map { Array($0.utf8) }
    }()
}
