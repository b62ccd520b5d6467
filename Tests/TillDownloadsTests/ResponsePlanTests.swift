import Foundation
import Testing
import TillHTTP
import TillModel

@testable import TillDownloads

@Suite("Plans for responses")
struct ResponsePlanTests {
    typealias Headers = [(String, String)]

    static let asked = ResponsePlan.Asked(offset: 40, validator: "\"a\"")

    static let ranges: [(String, Int64, Int64, Int64?)] = [
        ("bytes 40-99/100", 40, 99, 100), ("bytes 40-99/*", 40, 99, nil), ("Bytes 0-0/1", 0, 0, 1),
        ("bytes 0-9223372036854775806/9223372036854775807", 0, 9_223_372_036_854_775_806, 9_223_372_036_854_775_807),
    ]

    @Test(arguments: ranges)
    func rangesAreRead(text: String, first: Int64, last: Int64, total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.first == first)
        #expect(range.last == last)
        #expect(range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 40-99", "bytes 40/100", "bytes -99/100", "bytes 40-/100", "bytes 99-40/100",
        "bytes 40-100/100", "items 40-99/100", "bytes 40-99/100 ", "bytes  40-99/100", "bytes +40-99/100",
        "bytes 40-99/-100", "bytes */100", "bytes 40-99/100/100", "bytes 40-99-100/100",
        "bytes 0-9223372036854775808/9223372036854775809", "bytes a-b/c", "bytes ４0-99/100",
    ])
    func whatIsNoRangeIsNotRead(text: String) {
        #expect(ContentRange(text) == nil)
    }

    static let tags: [(values: [String], tag: String?)] = [
        (["\"a\""], "\"a\""), (["\"\""], "\"\""), (["W/\"a\""], nil), (["a"], nil), (["\"a"], nil), (["\""], nil),
        ([], nil),
        (["\"a\"", "\"a\""], nil), (["\"a\", \"b\""], nil), (["\"a b\""], nil), (["\"é\""], "\"é\""),
        ([quoted(1022)], quoted(1022)), ([quoted(1023)], nil),
    ]

    private static func quoted(_ count: Int) -> String {
        "\"" + String(repeating: "x", count: count) + "\""
    }

    @Test(arguments: tags)
    func onlyOneStrongTagCounts(values: [String], tag: String?) {
        #expect(EntityTag.strong(values) == tag)
    }

    static let plans: [(Int, Headers, ResponsePlan)] = [
        (200, [("etag", "\"b\"")], .body(offset: 0, validator: "\"b\"")),
        (200, [("content-length", "100")], .body(offset: 0, validator: nil)),
        (200, [("content-length", "101")], .failed(.otherLength(101, than: 100))),
        (206, [("content-range", "bytes 40-99/100"), ("etag", "\"a\"")], .body(offset: 40, validator: "\"a\"")),
        (206, [("content-range", "bytes 40-99/*")], .body(offset: 40, validator: "\"a\"")),
        (206, [("content-range", "bytes 40-60/100")], .body(offset: 40, validator: "\"a\"")),
        (206, [("content-range", "bytes 40-99/101")], .failed(.otherLength(101, than: 100))),
        (206, [("content-range", "bytes 40-100/*")], .failed(.tooLong)),
        (206, [("content-range", "bytes 41-99/100")], .restart),
        (206, [("content-range", "bytes 40-99/100"), ("etag", "\"b\"")], .restart),
        (206, [("content-type", "multipart/byteranges; boundary=x")], .restart),
        (301, [("location", "/x")], .redirect(to: "/x")),
        (416, [], .restart),
        (429, [("retry-after", "3")], .setback(Setback("the server answered 429", wait: .seconds(3)))),
        (599, [], .setback(Setback("the server answered 599"))),
    ]

    @Test(arguments: plans)
    func responsesToRangeRequestsHaveTheirPlan(status: Int, headers: Headers, plan: ResponsePlan) {
        #expect(Self.plan(status, headers, Self.asked) == plan)
    }

    @Test(arguments: [
        201, 202, 203, 204, 205, 207, 206, 300, 304, 305, 400, 401, 403, 404, 405, 406, 409, 410, 416, 451,
    ])
    func answersThatGiveNothingEndTheDownload(status: Int) {
        guard case .failed(let error) = Self.plan(status, [("content-range", "bytes 0-99/100")], nil) else {
            Issue.record("\(status) was to fail.")
            return
        }
        #expect(error.reason == .unavailable)
    }

    @Test(arguments: [
        ("http://a/x", "http://b/y", true), ("http://a/x", "https://b/y", true), ("https://a/x", "https://b/y", true),
        ("https://a/x", "http://a/x", false), ("https://a/x", "HTTP://a/x", false), ("https://a/x", "/y", true),
        ("https://a/x", "//b/y", true), ("http://a/x", "file:///etc/passwd", false), ("http://a/x", "ftp://a/x", false),
        ("http://a/x", "http:///y", false), ("http://a/x", "http://127.0.0.1:70000/", false),
        ("http://a/x", "http://[::1]:65536/", false), ("http://a/x", "http://[::1]:65535/", true),
        ("http://a/x", "http://a:0/", false), ("http://a/x", "http://[", false), ("http://a/x", "http://]/", false),
        ("http://a/x", "http://[]/", false), ("http://a/x", "http://%5B%5D/", false),
    ])
    func redirectsNeverLeadToALessSafePlace(from: String, to: String, isFollowed: Bool) throws {
        var redirection = Redirection(from: try #require(URL(string: from)))
        do {
            try redirection.follow(to: to)
            #expect(isFollowed)
        } catch {
            #expect(!isFollowed && error.reason == .unavailable)
        }
    }

    @Test
    func redirectsAreLimited() throws {
        var redirection = Redirection(from: try #require(URL(string: "http://a/0")))
        for step in 1...Redirection.countMaximum {
            try redirection.follow(to: "/\(step)")
        }
        #expect(redirection.url.absoluteString == "http://a/5")
        #expect(throws: DownloadError.self) { try redirection.follow(to: "/6") }
    }

    private static func plan(_ status: Int, _ headers: Headers, _ asked: ResponsePlan.Asked?) -> ResponsePlan {
        ResponsePlan(status, HTTPHeaders(headers), asked: asked, length: 100)
    }
}
