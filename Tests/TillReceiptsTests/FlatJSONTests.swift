import FoundationEssentials
import Testing
@testable import TillReceipts

@Suite struct FlatJSONTests {
    private struct Sample: Decodable, Equatable {
        var text: String
        var number: Int64
        var truth: Bool
        var nothing: String?
    }

    @Test(arguments: [
        "", "plain", "\"quoted\" and \\ back", "a/b", "tab\t line\n return\r zero\u{0} last\u{1F} delete\u{7F}",
        "Größe 日本 🎁", "e\u{301}\u{2028}",
    ])
    func aTextComesBackAsItWas(_ text: String) throws {
        var json = FlatJSON()
        json.add("text", text)
        json.add("number", Int64.min)
        json.add("nothing", String?.none)
        json.add("truth", true)
        let sample = try JSONDecoder().decode(Sample.self, from: Data(json.object))
        #expect(sample == Sample(text: text, number: .min, truth: true))
    }

    @Test func membersComeInTheirOrderAndNothingIsPadded() {
        var json = FlatJSON()
        #expect(json.object == Array("{}".utf8))
        json.add("b", "x/\u{1F}")
        json.add("a", 12)
        json.add("c", false)
        #expect(String(decoding: json.object, as: UTF8.self) == #"{"b":"x/\u001f","a":12,"c":false}"#)
    }
}
