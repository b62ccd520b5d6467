import FoundationEssentials
package import NIOCore
import TillModel

/// Fetches resources over HTTP/1.1, with or without TLS, by libcurl. May be used from any task.
///
/// It follows no redirects, decodes no content codings, uses no proxy, and keeps no cookies: what it returns is what the
/// named server sent. A server proves its name by a certificate that the system's authorities have issued.
package final class HTTPClient: Sendable {
    package struct Configuration: Sendable {
        /// The time that finding the server's address, connecting and the TLS handshake may take together.
        package var connectTimeout: Duration
        /// The longest time that a server may send nothing while the reader waits for it.
        package var idleTimeout: Duration
        /// The connections that are kept for further requests.
        package var connectionsMaximum: Int

        package init(connectTimeout: Duration, idleTimeout: Duration, connectionsMaximum: Int) {
            self.connectTimeout = connectTimeout
            self.idleTimeout = idleTimeout
            self.connectionsMaximum = connectionsMaximum
        }
    }

    private let loop: TransferLoop

    /// - Throws: ``HTTPFailure/connection(_:)`` when libcurl cannot be set up, for lack of memory.
    package init(_ configuration: Configuration) throws(HTTPFailure) {
        loop = try TransferLoop(configuration)
    }

    /// Sends a GET request, and returns when the head of the response has arrived.
    ///
    /// - Throws: ``HTTPFailure``, or `CancellationError` when the task is cancelled.
    package func get(_ url: String, headers: HTTPHeaders) async throws -> HTTPResponse {
        // libcurl takes "http:///x" for the host x.
        guard URL(string: url)?.namesHost == true else {
            throw HTTPFailure.url
        }
        let transfer = Transfer(url: url, headers: headers, loop: loop)
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

    /// The body as it arrives. Read by one task; when it is released early, the transfer is cancelled.
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
    }
}

/// The fields of a request's or a response's head, in order (RFC 9110, section 5). Names have no case.
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

    /// All elements of a field whose value is a list, without the blanks around them (RFC 9110, section 5.6.1).
    package subscript(canonicalForm name: String) -> [String] {
        self[name].flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
        }
    }

    /// The lines of the fields, as a request has them.
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
    /// The field of a line such as `Content-Length: 12`; nil when it is not one.
    static func field(_ line: String) -> (String, String)? {
        let line = line.prefix { !$0.isNewline }
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
            return nil
        }
        return (String(line[..<colon]), line[line.index(after: colon)...].trimmed)
    }
}

/// The reason why a request has no response, or a response no end.
package enum HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL is malformed, or neither of HTTP nor HTTPS.
    case url
    /// Anything else, in words for the log; another attempt may succeed.
    case connection(String)

    package var description: String {
        switch self {
        case .url: "the URL is not one of HTTP or HTTPS"
        case .connection(let reason): reason
        }
    }
}
