/// Something that goes wrong with requests that match.
package struct Fault: Hashable, Sendable {
    package enum Moment: String, Hashable, Sendable {
        /// Before the effect, which then does not happen.
        case before
        /// After the effect.
        case after
    }

    package enum Kind: Hashable, Sendable {
        /// No answer ever arrives.
        case hang(Moment)
        /// The connection is reset.
        case reset(Moment)
        /// The process kills itself, so that its book is all that is left. For a stand-in in a process of its own.
        case kill(Moment)
        /// A server error. 500 is stored for the idempotency key, as Stripe does; 502 comes from a proxy and is not.
        case error(Int, Moment)
        /// The effect happens, and the connection closes in the middle of the body.
        case truncated
        /// The request arrives later; nil is when it is released.
        case late(seconds: Int?)
        /// The request arrives, and its key is in use until it executes later; nil is when it is released.
        case slow(seconds: Int?)
        case rateLimit, lockTimeout, keyInUse
        /// The request is executed. Only the headers are the fault's.
        case none
    }

    package var kind: Kind
    /// The method, such as `POST`; nil is any.
    package var method: String?
    /// The start of the path, or a regular expression that matches the whole path; nil is any.
    package var path: String?
    /// The number of matching requests that pass first.
    package var skip: Int
    /// The number of matching requests that fail.
    package var count: Int
    /// The value of the header `Stripe-Should-Retry`.
    package var shouldRetry: Bool?
    /// The value of the header `Retry-After`, in seconds.
    package var retryAfter: Int?

    package init(
        _ kind: Kind,
        method: String? = nil,
        path: String? = nil,
        skip: Int = 0,
        count: Int = 1,
        shouldRetry: Bool? = nil,
        retryAfter: Int? = nil
    ) {
        self.kind = kind
        self.method = method
        self.path = path
        self.skip = skip
        self.count = count
        self.shouldRetry = shouldRetry
        self.retryAfter = retryAfter
    }

    func matches(_ request: StripeRequest) -> Bool {
        guard method.map({ $0 == request.method }) ?? true else {
            return false
        }
        guard let path, !request.path.hasPrefix(path) else {
            return true
        }
        guard let pattern = try? Regex(path) else {
            return false
        }
        return request.path.wholeMatch(of: pattern) != nil
    }

    var name: String {
        switch kind {
        case .hang(let moment): "hang \(moment)"
        case .reset(let moment): "reset \(moment)"
        case .kill(let moment): "kill \(moment)"
        case .error(let status, let moment): "\(status) \(moment)"
        case .truncated: "truncated"
        case .late: "late"
        case .slow: "slow"
        case .rateLimit: "rate_limit"
        case .lockTimeout: "lock_timeout"
        case .keyInUse: "key_in_use"
        case .none: "none"
        }
    }

    /// The failure that replaces the effect.
    var failureBefore: StripeFailure? {
        switch kind {
        case .error(let status, .before): Self.serverError(status)
        case .rateLimit: .rateLimit
        case .lockTimeout: .lockTimeout
        case .keyInUse: .keyInUse
        default: nil
        }
    }

    /// The failure that replaces the answer after the effect.
    var failureAfter: StripeFailure? {
        if case .error(let status, .after) = kind { Self.serverError(status) } else { nil }
    }

    private static func serverError(_ status: Int) -> StripeFailure {
        status == 500 ? .internalError : StripeFailure(status, type: "api_error", "The server is unavailable.")
    }

    var headers: [String: String] {
        var headers: [String: String] = [:]
        headers["stripe-should-retry"] = shouldRetry.map { $0 ? "true" : "false" }
        headers["retry-after"] = retryAfter.map(String.init)
        return headers
    }
}

extension [Fault] {
    /// Takes the first fault for a request, and counts the request for all faults that it matches.
    mutating func take(for request: StripeRequest) -> Fault? {
        var taken: Fault?
        for index in indices where self[index].matches(request) {
            if self[index].skip > 0 {
                self[index].skip -= 1
            } else if taken == nil, self[index].count > 0 {
                taken = self[index]
                self[index].count -= 1
            }
        }
        removeAll { $0.count <= 0 }
        return taken
    }
}
