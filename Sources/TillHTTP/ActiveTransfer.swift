import CCURL
import NIOCore

/// A transfer that libcurl performs. It is used only on the loop's queue, from which libcurl calls back.
///
/// `@safe`: it owns the handle and the list of headers, and frees both at its end.
@safe final class ActiveTransfer {
    /// The maximum size of all lines of a response's head together.
    static let headBytesMaximum = 64 * 1024
    /// The maximum number of bytes that libcurl receives at a time.
    private static let receivedBytesMaximum = 64 * 1024

    let transfer: Transfer
    let handle: UnsafeMutableRawPointer
    private let requestHeaders: UnsafeMutablePointer<curl_slist>?
    private let idleTimeout: Duration
    /// The time of the last data from the server, or of the connection; nil until the request may be sent.
    private var lastActivity: ContinuousClock.Instant?
    private var headers: [(String, String)] = []
    private var headBytes = 0
    private var hasHead = false
    /// The reason why a callback stopped the transfer.
    private var refusal: HTTPFailure?

    init(_ transfer: Transfer, _ configuration: HTTPClient.Configuration) throws(HTTPFailure) {
        guard let handle = unsafe curl_easy_init() else {
            throw .unreachable("libcurl cannot start a transfer")
        }
        self.transfer = transfer
        unsafe self.handle = unsafe handle
        idleTimeout = configuration.idleTimeout
        var list: UnsafeMutablePointer<curl_slist>?
        for line in transfer.request.lines {
            // If memory is exhausted, the result is null and the list is unchanged. The request is refused then.
            guard let longer = unsafe curl_slist_append(list, line) else {
                unsafe curl_slist_free_all(list)
                unsafe curl_easy_cleanup(handle)
                throw .unreachable("libcurl cannot start a transfer")
            }
            unsafe list = unsafe longer
        }
        unsafe requestHeaders = unsafe list
        try configure(configuration)
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(requestHeaders)
    }

    private func configure(_ configuration: HTTPClient.Configuration) throws(HTTPFailure) {
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
            (CURLOPT_FOLLOWLOCATION, 0),
            (CURLOPT_PATH_AS_IS, 1),
            (CURLOPT_CONNECTTIMEOUT_MS, Int(configuration.connectTimeout / .milliseconds(1))),
            // Zero means no limit.
            (CURLOPT_TIMEOUT_MS, configuration.requestTimeout.map { max(Int($0 / .milliseconds(1)), 1) } ?? 0),
            (CURLOPT_BUFFERSIZE, Self.receivedBytesMaximum),
            // If a transfer is cancelled during a slow name lookup, the lookup must not delay other transfers.
            (CURLOPT_QUICK_EXIT, 1),
        ]
        let texts = [
            (CURLOPT_URL, transfer.request.url), (CURLOPT_PROTOCOLS_STR, "http,https"),
            // The transfer uses no proxy, even if the environment has one.
            (CURLOPT_PROXY, ""),
        ]
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard numbers.allSatisfy({ unsafe till_curl_set_long(handle, $0.0, $0.1) == CURLE_OK }),
            texts.allSatisfy({ unsafe till_curl_set_text(handle, $0.0, $0.1) == CURLE_OK }),
            unsafe till_curl_set_headers(handle, requestHeaders) == CURLE_OK,
            setBody(),
            unsafe till_curl_set_callbacks(handle, Self.connected, Self.receiveHead, Self.receiveBody, context)
                == CURLE_OK
        else {
            throw .unreachable("libcurl does not know an option")
        }
    }

    /// Makes the request a POST if it has a body, of which libcurl keeps a copy.
    private func setBody() -> Bool {
        guard let body = transfer.request.body else {
            return true
        }
        return unsafe body.withUnsafeBytes { bytes in
            unsafe till_curl_set_body(handle, bytes.baseAddress, bytes.count) == CURLE_OK
        }
    }

    /// The time at which the server has sent nothing for too long; nil while the transfer does not wait for it.
    var idleDeadline: ContinuousClock.Instant? {
        transfer.isPaused ? nil : lastActivity?.advanced(by: idleTimeout)
    }

    func resume() {
        lastActivity = .now
        unsafe curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    func result(of code: CURLcode) -> Result<Void, any Error> {
        switch code {
        case CURLE_OK: .success(())
        // After a connection, libcurl reports these codes for a server that speaks another protocol, too.
        case CURLE_URL_MALFORMAT where lastActivity == nil, CURLE_UNSUPPORTED_PROTOCOL where lastActivity == nil:
            .failure(HTTPFailure.url)
        default: .failure(refusal ?? failure(of: code))
        }
    }

    /// libcurl calls back before it sends anything of a request, on a new connection as on a kept one. If it never did,
    /// the request was not sent, whatever the code is (https://curl.se/libcurl/c/CURLOPT_PREREQFUNCTION.html).
    private func failure(of code: CURLcode) -> HTTPFailure {
        let reason = unsafe String(cString: curl_easy_strerror(code))
        return lastActivity == nil ? .unreachable(reason) : .connection(reason)
    }
}

// These are libcurl's callbacks. The loop keeps this object until the handle's transfer has ended.
extension ActiveTransfer {
    private static let connected: till_curl_connected = { context, _, _, _, _ in
        unsafe active(context)?.mayBeginRequest() == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    private static let receiveHead: till_curl_receiver = { bytes, size, count, context in
        let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        return unsafe active(context)?.receiveHead(line: line) == true ? line.count : 0
    }

    private static let receiveBody: till_curl_receiver = { bytes, size, count, context in
        let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        guard let active = unsafe active(context) else {
            return 0
        }
        active.lastActivity = .now
        return unsafe active.transfer.receive(piece) ? piece.count : Int(CURL_WRITEFUNC_PAUSE)
    }

    private static func active(_ context: UnsafeMutableRawPointer?) -> ActiveTransfer? {
        unsafe context.map { unsafe Unmanaged<ActiveTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Refuses a second attempt on a new connection after a kept one has ended, unless the request is idempotent.
    private func mayBeginRequest() -> Bool {
        guard lastActivity == nil || transfer.request.isIdempotent else {
            refusal = .connection("the kept connection ended without a response")
            return false
        }
        lastActivity = .now
        return true
    }

    /// Receives a status line, a field, or the empty line at the end. Interim responses (1xx) may precede the response.
    /// Trailers that follow it are dropped.
    private func receiveHead(line bytes: UnsafeRawBufferPointer) -> Bool {
        lastActivity = .now
        headBytes += bytes.count
        guard headBytes <= Self.headBytesMaximum else {
            refusal = .connection("the head of the response has more than \(Self.headBytesMaximum) bytes")
            return false
        }
        guard !hasHead else {
            return true
        }
        let line = unsafe String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            headers = []
        } else if let field = HTTPHeaders.field(line) {
            headers.append(field)
        } else if line.allSatisfy(\.isNewline) {
            let status = unsafe till_curl_response_code(handle)
            guard status >= 200 else {
                return true
            }
            hasHead = true
            transfer.receive(Transfer.Head(status: status, headers: HTTPHeaders(headers)))
        }
        return true
    }
}
