import FoundationEssentials
import Testing
import TillModel
import TillOutput

@Suite struct JSONObjectTests {
    @Test func keysAreSortedAndNilIsLeftOut() throws {
        let missing: String? = nil
        let object: JSONObject = ["b": 1, "a": "x", "c": missing, "d": nil]
        #expect(try object.text() == #"{"a":"x","b":1}"#)
        #expect(try ([:] as JSONObject).text() == "{}")
    }

    @Test func eachTypeHasItsForm() throws {
        let object: JSONObject = [
            "array": ["x", "y"],
            "boolean": true,
            "date": Date(millisecondsSince1970: 1_772_357_400_250),
            "id": UUID(high: 0, low: 0xAB),
            "large": UInt64.max,
            "negative": Int64.min,
            "number": 1.5,
            "object": ["key": 0] as JSONObject,
            "objects": [["key": 1], ["key": 2]] as [JSONObject],
            "whole": 2.0,
        ]
        #expect(
            try object.text() == """
                {"array":["x","y"],"boolean":true,"date":"2026-03-01T09:30:00.250Z",\
                "id":"00000000-0000-0000-0000-0000000000ab","large":9223372036854775807,\
                "negative":-9223372036854775808,"number":1.5,"object":{"key":0},\
                "objects":[{"key":1},{"key":2}],"whole":2}
                """
        )
    }

    @Test(arguments: [
        (text: "a/b", json: #""a/b""#), ("\"", #""\"""#), ("\\", #""\\""#), ("\n\t\u{1}", #""\n\t\u0001""#),
        ("é×\u{1F469}", "\"é×\u{1F469}\""),
    ])
    func textIsEscapedOnlyWhereNecessary(text: String, json: String) throws {
        #expect(try (["a": text] as JSONObject).text() == "{\"a\":\(json)}")
    }
}
