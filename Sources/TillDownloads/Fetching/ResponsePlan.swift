import FoundationEssentials
import TillHTTP
import TillModel

/// The action for a server's response, decided by its status and headers.
enum ResponsePlan: Equatable {
    /// The body is the content from this offset. A later request may resume if the validator is still the same.
    case body(offset: Int64, validator: String?)
    case redirect(to: String)
    /// The local part does not match the server's content: request everything again.
    case restart
    case setback(Setback)
    case failed(DownloadError)

    /// The requested range: the bytes from the offset, if the content still has the validator.
    struct Asked: Hashable, Sendable {
        var offset: Int64
        var validator: String
    }

    /// - Parameters:
    ///   - asked: The requested range; nil if everything was requested.
    ///   - length: The content's length in the catalogue.
    init(_ status: Int, _ headers: HTTPHeaders, asked: Asked?, length: Int64) {
        switch status {
        case 200:
            self = Self.whole(headers, length)
        case 206:
            self = asked.map { Self.partial(headers, $0, length) } ?? .unavailable(status)
        case 301, 302, 303, 307, 308:
            self = headers.first(name: "location").map { .redirect(to: $0) } ?? .unavailable(status)
        case 416 where asked != nil:
            self = .restart
        case 408, 425, 429, 500...599:
            self = .setback(Setback("the server answered \(status)", wait: Self.retryAfter(headers)))
        default:
            self = .unavailable(status)
        }
    }

    private static func unavailable(_ status: Int) -> ResponsePlan {
        .failed(DownloadError(.unavailable, "The server refused the content with status \(status)."))
    }

    private static func whole(_ headers: HTTPHeaders, _ length: Int64) -> ResponsePlan {
        if let failure = checkCoding(headers) {
            return .failed(failure)
        }
        if let announced = headers.first(name: "content-length").flatMap(Int64.init), announced != length {
            return .failed(.otherLength(announced, than: length))
        }
        return .body(offset: 0, validator: EntityTag.strong(headers["etag"]))
    }

    private static func partial(_ headers: HTTPHeaders, _ asked: Asked, _ length: Int64) -> ResponsePlan {
        if let failure = checkCoding(headers) {
            return .failed(failure)
        }
        guard let text = headers.first(name: "content-range"), let range = ContentRange(text),
            range.first == asked.offset, headers["etag"].allSatisfy({ $0 == asked.validator })
        else {
            return .restart
        }
        if let total = range.total, total != length {
            return .failed(.otherLength(total, than: length))
        }
        guard range.last < length else {
            return .failed(.tooLong)
        }
        return .body(offset: asked.offset, validator: asked.validator)
    }

    /// Refuses content codings, because none was requested, and length and hash refer to the uncoded content.
    private static func checkCoding(_ headers: HTTPHeaders) -> DownloadError? {
        let isPlain = headers[canonicalForm: "content-encoding"].allSatisfy {
            $0.isEmpty || $0.lowercased() == "identity"
        }
        return isPlain ? nil : DownloadError(.unavailable, "The server sent the content with a content coding.")
    }

    /// Reads the delay in seconds. Dates are ignored, because the clocks may differ.
    private static func retryAfter(_ headers: HTTPHeaders) -> Duration? {
        headers.first(name: "retry-after").flatMap { ContentRange.number($0[...]) }.map {
            .seconds(min($0, retryAfterMaximumSeconds))
        }
    }

    private static let retryAfterMaximumSeconds: Int64 = 3600
}

/// The byte range of a partial response (https://www.rfc-editor.org/rfc/rfc9110#section-14.4).
struct ContentRange: Hashable, Sendable {
    var first: Int64
    var last: Int64
    /// The total length; nil if the server does not know it.
    var total: Int64?

    /// - Returns: Nil unless it is a valid range of bytes.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else {
            return nil
        }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else {
            return nil
        }
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last
        else {
            return nil
        }
        if halves[1] != "*" {
            guard let total = Self.number(halves[1]), last < total else { return nil }
            self.total = total
        }
        self.first = first
        self.last = last
    }

    /// Parses a number that consists of digits only.
    static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int64(text) : nil
    }
}

/// Parses entity tags (https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3).
enum EntityTag {
    /// The maximum length of a tag that is stored and sent back.
    static let maximumBytes = 1024

    /// The tag with its quotes if it is a single strong tag; nil if it is weak, invalid or one of several.
    static func strong(_ values: [String]) -> String? {
        guard values.count == 1, let tag = values.first, tag.utf8.count >= 2, tag.utf8.count <= maximumBytes,
            tag.hasPrefix("\""), tag.hasSuffix("\"")
        else {
            return nil
        }
        let isWhole = tag.utf8.dropFirst().dropLast().allSatisfy { $0 == 0x21 || 0x23...0x7e ~= $0 || $0 >= 0x80 }
        return isWhole ? tag : nil
    }
}

/// Follows redirects, up to a maximum number, and never from https to http.
struct Redirection: Sendable {
    static let countMaximum = 5

    private(set) var url: URL
    private var count = 0

    init(from url: URL) {
        self.url = url
    }

    mutating func follow(to location: String) throws(DownloadError) {
        guard count < Self.countMaximum else {
            throw DownloadError(.unavailable, "The server redirected too many times.")
        }
        guard let next = URL(string: location, relativeTo: url)?.absoluteURL, let scheme = next.scheme?.lowercased(),
            scheme == "https" || scheme == "http", next.namesHost, next.hasPossiblePort
        else {
            throw DownloadError(.unavailable, "The server redirected to an invalid URL.")
        }
        guard scheme == "https" || url.scheme?.lowercased() == "http" else {
            throw DownloadError(.unavailable, "The server redirected from https to http.")
        }
        url = next
        count += 1
    }
}

extension DownloadError {
    static let tooLong = DownloadError(.length, "The content is longer than the catalogue states.")

    static func otherLength(_ actual: Int64, than expected: Int64) -> DownloadError {
        DownloadError(.length, "The content has \(actual) bytes, but the catalogue states \(expected).")
    }
}
