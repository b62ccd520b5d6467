import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import NIOCore
import TillModel

/// The answer to a request.
struct Reply: Sendable {
    var status: HTTPResponse.Status
    var contentType: String
    /// A stream has no length, and lasts as long as the connection.
    var body: ResponseBody

    init(_ contentType: String, _ body: ResponseBody, _ status: HTTPResponse.Status = .ok) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    static func html(_ html: HTML) -> Reply {
        Reply("text/html; charset=utf-8", .bytes(Array(html.text.utf8)))
    }

    static func text(_ text: String, _ status: HTTPResponse.Status = .ok) -> Reply {
        Reply("text/plain; charset=utf-8", .bytes(Array(text.utf8)), status)
    }

    static func json(_ values: [String: String], _ status: HTTPResponse.Status = .ok) -> Reply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Reply("application/json", .bytes(Array((try? encoder.encode(values)) ?? Data())), status)
    }

    /// The answer to a request that failed; the script shows its sentence.
    static func failure(_ error: TillError) -> Reply {
        json(["error": error.message], status(error.code))
    }

    static func refusal(_ refusal: RequestGuard.Refusal) -> Reply {
        json(["error": refusal.rawValue], .forbidden)
    }

    private static func status(_ code: TillError.Code) -> HTTPResponse.Status {
        switch code {
        case .invalidArgument: .badRequest
        case .notFound: .notFound
        case .failedPrecondition, .alreadyExists: .conflict
        case .permissionDenied: .forbidden
        case .resourceExhausted: .tooManyRequests
        case .unavailable, .deadlineExceeded: .serviceUnavailable
        default: .internalServerError
        }
    }

    /// The head. No other site may show, read or keep what the page shows, and the page loads nothing from elsewhere.
    var head: HTTPResponse {
        var fields: HTTPFields = [
            .contentType: contentType,
            .cacheControl: "no-store",
            .contentSecurityPolicy: """
            default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
            form-action 'none'; frame-ancestors 'none'
            """,
            .xContentTypeOptions: "nosniff",
            .crossOriginResourcePolicy: "same-origin",
        ]
        for (name, value) in [("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin")] {
            if let name = HTTPField.Name(name) {
                fields[name] = value
            }
        }
        fields[.contentLength] = body.contentLength.map { "\($0)" }
        return HTTPResponse(status: status, headerFields: fields)
    }
}

extension ResponseBody {
    static func bytes(_ bytes: [UInt8]) -> ResponseBody {
        ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    }
}
