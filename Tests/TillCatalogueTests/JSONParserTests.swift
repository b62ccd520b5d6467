import Testing

@testable import TillCatalogue

struct JSONParserTests {
    @Test(arguments: [
        ("null", JSONValue.null),
        (" true ", .bool(true)),
        ("[false]", .array([.bool(false)])),
        ("{}", .object([:])),
        ("[ ]", .array([])),
        (#"{"a" : {"b" : [1, "x"]}}"#, .object(["a": .object(["b": .array([.number("1"), .string("x")])])])),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
        (#""\u00e9\uD83D\uDE00ä""#, .string("é😀ä")),
        ("\u{FEFF}1", .number("1")),
    ])
    func validJSONIsRead(text: String, value: JSONValue) throws {
        #expect(try JSONParser.parse(Array(text.utf8)) == value)
    }

    @Test(arguments: ["0", "-0", "0.10", "12345678901234567890.00", "1e5", "1.5e-7"])
    func numbersKeepTheirText(text: String) throws {
        #expect(try JSONParser.parse(Array(text.utf8)) == .number(text))
    }

    @Test(arguments: [
        "", " ", "tru", "nul", "[", "{", "]", "[1", "[1,", "[1,]", "[,1]", "{1:2}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
        "01", "1.", ".5", "-", "+1", "1e", "NaN", "Infinity", "1 2", "[1] x", "'a'", "\"a", "\"\\x\"", "\"\\u12\"",
        "\"\\u12g4\"", #""\uD800""#, #""\uDC00""#, #""\uD800\uD800""#, #""\uD800x""#, #""\u0000""#, "\"a\nb\"",
        #"{"a":1,"a":2}"#, "// comment\n1", "[1] // comment",
    ])
    func invalidJSONIsRefused(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test(arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
    func textThatIsNotUTF8IsRefused(bytes: [UInt8]) {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(bytes) }
    }

    @Test
    func anErrorNamesItsLine() {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array("{\n\"a\": 1\n\"b\": 2}".utf8)) }
        #expect(error?.line == 3)
        #expect(error?.reason == "a comma or a closing brace is expected")
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func nestingBeyondTheLimitIsRefused(opening: String) {
        let deep = String(repeating: opening, count: 100_000)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(deep.utf8)) }
        #expect(error?.reason == "arrays and objects nest deeper than 64 levels")
    }

    @Test
    func nestingUpToTheLimitIsRead() throws {
        let depth = CatalogueLimits.nestingDepth
        let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        #expect(throws: Never.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test
    func moreValuesThanTheLimitAreRefused() {
        let text = "[" + String(repeating: "0,", count: CatalogueLimits.values) + "0]"
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
        #expect(error?.reason == "there are more than 2000000 values")
    }
}
