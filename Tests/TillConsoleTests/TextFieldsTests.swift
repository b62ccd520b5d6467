import FoundationEssentials
import Testing
@testable import TillConsole
import TillModel

/// Text with the character U+0000, which not every ledger can keep.
@Suite struct TextFieldsTests {
    /// All fields of the page's forms, and one that it does not have.
    private static let names = [
        "id", "kind", "approves", "reason", "review", "reference", "quantity", "cause", "product", "application",
        "account", "name", "value", "unit", "amount", "invitation", "renews", "other",
    ]

    @Test(arguments: names)
    func aFieldWithItIsRefused(_ name: String) throws {
        let body = #"{"\#(name)": "a\u0000b", "page": "a"}"#
        let error = #expect(throws: TillError.self) { try ActionFields(json: Array(body.utf8)) }
        #expect(error?.code == .invalidArgument && error?.message == Self.refusal(name))
        _ = try ActionFields(json: Array(body.replacing("\\u0000", with: "").utf8))
    }

    @Test(arguments: ["application", "account", "product", "id", "page", "other"])
    func aParameterWithItIsRefused(_ name: String) throws {
        let error = #expect(throws: TillError.self) { try ViewQuery("\(name)=a%00b&state=1") }
        #expect(error?.code == .invalidArgument && error?.message == Self.refusal(name))
        #expect(try ViewQuery("\(name)=ab")[name] == "ab")
    }

    private static func refusal(_ name: String) -> String {
        "Invalid \(name): use text without the character U+0000."
    }
}
