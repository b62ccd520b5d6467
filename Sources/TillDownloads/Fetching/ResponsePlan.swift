import TillHTTP
import TillModel

/// What to do with a server's answer, by its head alone.
enum ResponsePlan: Equatable {
    /// The body is the content from this byte on. Later parts may go on if the validator is the same then.
    case body(offset: Int64, validator: String?)
    case redirect(to: String)
    /// What is here does not fit the server's: ask again, for all of it.
    case restart
    case setback(Setback)
    case failed(DownloadError)

    /// What was asked for: the bytes from the offset on, if the content still has the validator.
    struct Asked: Hashable, Sendable {
        var offset: Int64
        var validator: String
    }

    /// - Parameters:
    ///   - asked: Nil when everything was asked for.
    ///   - length: Of the content, by what the store says.
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
        .failed(DownloadError(.unavailable, "The server does not give the content; it answers \(status)."))
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

    /// Nobody asked for a coding, and the length and the hash are those of what is not coded.
    private static func checkCoding(_ headers: HTTPHeaders) -> DownloadError? {
        let isPlain = headers[canonicalForm: "content-encoding"].allSatisfy {
            $0.isEmpty || $0.lowercased() == "identity"
        }
        return isPlain ? nil : DownloadError(.unavailable, "The server gives the content only in a coded form.")
    }

    /// In seconds; dates are not read, as ours and the server's clock need not agree.
    private static func retryAfter(_ headers: HTTPHeaders) -> Duration? {
        headers.first(name: "retry-after").flatMap { ContentRange.number($0[...]) }.map {
            .seconds(min($0, retryAfterMaximumSeconds))
        }
    }

    private static let retryAfterMaximumSeconds: Int64 = 3600
}
