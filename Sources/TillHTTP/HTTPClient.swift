import FoundationEssentials
package import NIOCore
import TillModel

/// Sends requests over HTTP/1.1, with or without TLS, by libcurl. Any task may use it.
///
/// It follows no redirects, decodes no content codings, uses no proxy, and keeps no cookies. It returns exactly the
/// bytes that the named server sent. A server proves its name by a certificate from one of the system's authorities.
package final class HTTPClient: Sendable {
    package struct Configuration: Sendable {
        /// The maximum time for the name lookup, the connection and the TLS handshake together.
        package var connectTimeout: Duration
        /// The maximum time without data from the server while the reader waits.
        package var idleTimeout: Duration
        /// The maximum time from the start of a request to the end of its response's body; nil if there is no limit.
        package var requestTimeout: Duration?
        /// The maximum number of idle connections that are kept for further requests.
        package var connectionsMaximum: Int

        package init(
            connectTimeout: Duration,
            idleTimeout: Duration,
            requestTimeout: Duration? = nil,
            connectionsMaximum: Int
        ) {
            self.connectTimeout = connectTimeout
            self.idleTimeout = idleTimeout
            self.requestTimeout = requestTimeout
            self.connectionsMaximum = connectionsMaximum
        }
    }

    private let loop: TransferLoop

    /// - Throws: ``HTTPFailure/connection(_:)`` if libcurl cannot be set up for lack of memory.
    package init(_ configuration: Configuration) throws(HTTPFailure) {
        loop = try TransferLoop(configuration)
    }

    /// Sends a GET request, and returns when the head of the response has arrived.
    ///
    /// - Throws: ``HTTPFailure``, or `CancellationError` if the task is cancelled.
    package func get(_ url: String, headers: HTTPHeaders) async throws -> HTTPResponse {
        try await send(.get(url, headers: headers))
    }

    /// Sends a request, and returns when the head of the response has arrived.
    ///
    /// - Throws: ``HTTPFailure``, or `CancellationError` if the task is cancelled. After any of them but
    ///   ``HTTPFailure/url`` and ``HTTPFailure/unreachable(_:)``, the server may have processed the request.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        // libcurl reads "http:///x" as the host x.
        guard URL(string: request.url)?.namesHost == true else {
            throw HTTPFailure.url
        }
        let transfer = Transfer(request, loop: loop)
        loop.send(.start(transfer))
        let body = HTTPResponse.Body(transfer)
        let head = try await transfer.head()
        return HTTPResponse(status: head.status, headers: head.headers, body: body)
    }
}

/// A response whose head has arrived and whose body can be read.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body

    /// The body as it arrives. One task may read it. If the body is released early, the transfer is cancelled.
    package final class Body: Sendable {
        private let transfer: Transfer

        init(_ transfer: Transfer) {
            self.transfer = transfer
        }

        deinit {
            transfer.cancel()
        }

        /// The next bytes; nil at the end of the body.
        ///
        /// - Throws: ``HTTPFailure`` after all bytes that arrived before the failure, or `CancellationError`.
        package func next() async throws -> ByteBuffer? {
            try await transfer.next()
        }

        /// The rest of the body.
        ///
        /// - Throws: ``HTTPFailure/bodyTooLarge(limit:)`` if it has more bytes than the limit. The transfer is cancelled
        ///   then. Other errors are those of ``next()``.
        package func collect(upTo limit: Int) async throws -> ByteBuffer {
            var whole = ByteBuffer()
            while var chunk = try await next() {
                guard whole.readableBytes + chunk.readableBytes <= limit else {
                    transfer.cancel()
                    throw HTTPFailure.bodyTooLarge(limit: limit)
                }
                whole.writeBuffer(&chunk)
            }
            return whole
        }
    }
}

/// The fields of a request's or a response's head, in order (RFC 9110, section 5). Names are case-insensitive.
package struct HTTPHeaders: Sendable {
    private var fields: [(name: String, value: String)]

    package init(_ fields: [(String, String)] = []) {
        self.fields = fields.map { (name: $0.0, value: $0.1) }
    }

    package mutating func add(name: String, value: String) {
        fields.append((name: name, value: value))
    }

    /// All values of the field, one for each line.
    package subscript(name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    package func first(name: String) -> String? {
        self[name].first
    }

    /// All elements of a list field, without surrounding blanks (RFC 9110, section 5.6.1).
    package subscript(canonicalForm name: String) -> [String] {
        self[name].flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
        }
    }

    /// The lines of the fields in a request's format.
    var lines: [String] {
        fields.map { "\($0.name): \($0.value)" }
    }
}

extension Substring {
    /// The text without blanks at its ends.
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}

extension HTTPHeaders {
    /// The field of a line such as `Content-Length: 12`; nil for an invalid line.
    static func field(_ line: String) -> (String, String)? {
        let line = line.prefix { !$0.isNewline }
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
            return nil
        }
        return (String(line[..<colon]), line[line.index(after: colon)...].trimmed)
    }
}

/// The reason why a request has no response, or why a response is incomplete.
package enum HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL is malformed, or its scheme is neither HTTP nor HTTPS.
    case url
    /// The client could not connect, so that it sent nothing of the request: the name lookup, the connection or the TLS
    /// handshake failed or took too long. It is described for the log. Another attempt may succeed.
    case unreachable(String)
    /// Any other failure, described for the log. The server may have processed the request. Another attempt may succeed.
    case connection(String)
    /// The response's body has more bytes than the reader's limit.
    case bodyTooLarge(limit: Int)

    package var description: String {
        switch self {
        case .url: "the URL is malformed or not HTTP or HTTPS"
        case .unreachable(let reason), .connection(let reason): reason
        case .bodyTooLarge(let limit): "the body of the response has more than \(limit) bytes"
        }
    }
}
