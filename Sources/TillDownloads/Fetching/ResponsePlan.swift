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
