/// A request as ``HTTPClient/send(_:)`` sends it.
package struct HTTPRequest: Sendable {
    package enum Method: Hashable, Sendable {
        case get
        /// The body is sent as it is, with its length. It is copied, so it has to fit into memory twice.
        case post(body: [UInt8])
    }

    package var method: Method
    package var url: String
    /// The fields, which include the body's `Content-Type`. libcurl adds `Host`, `Accept` and `Content-Length`.
    package var headers: HTTPHeaders
    /// Whether libcurl may send the request again when a kept connection ends before any byte of the response.
    ///
    /// The server may have closed such a connection while it was idle, or while it processed the request. libcurl cannot
    /// tell these apart, and sends the request again on a new connection, up to five times (`Curl_retry_request` in
    /// https://github.com/curl/curl/blob/curl-7_88_1/lib/transfer.c). It has no option against this
    /// (https://github.com/curl/curl/pull/18417). Therefore, the client stops a second attempt before it sends anything,
    /// unless the request is idempotent. It is if repeating it has no further effect: a GET (RFC 9110, section 9.2.2),
    /// or a POST with a key by which the server recognises it, such as Stripe's `Idempotency-Key`.
    package var isIdempotent: Bool

    package static func get(_ url: String, headers: HTTPHeaders) -> HTTPRequest {
        HTTPRequest(method: .get, url: url, headers: headers, isIdempotent: true)
    }

    package static func post(
        _ url: String,
        headers: HTTPHeaders,
        body: [UInt8],
        isIdempotent: Bool
    ) -> HTTPRequest {
        HTTPRequest(method: .post(body: body), url: url, headers: headers, isIdempotent: isIdempotent)
    }

    /// The body, if the method has one.
    var body: [UInt8]? {
        switch method {
        case .get: nil
        case .post(let body): body
        }
    }

    /// The fields in libcurl's format, in which a name without a value removes a field that libcurl would add.
    var lines: [String] {
        guard body != nil else {
            return headers.lines
        }
        // Without this, libcurl would wait up to a second for a server's consent to a large body, and would take a body
        // without a type for a form (https://curl.se/libcurl/c/CURLOPT_POSTFIELDS.html).
        return headers.lines + ["Expect:"] + (headers["content-type"].isEmpty ? ["Content-Type:"] : [])
    }
}
