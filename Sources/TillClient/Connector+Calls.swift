import TillModel
import TillWire

extension Connector {
    /// Calls the daemon, and retries while it cannot be reached, for at most the configured time.
    ///
    /// - Parameter isRetried: Whether to send the request again when the connection is lost before the answer: false
    ///   for a request that is not idempotent.
    nonisolated func call<Request: Call>(
        _ request: Request,
        isRetried: Bool = true
    ) async throws(TillError) -> Request.Response {
        try await withSession(isRetried: isRetried) { (session, timeout) async throws(TillError) in
            try await session.call(request, timeout: timeout)
        }
    }

    /// The same for a request that several methods take.
    nonisolated func call<Request: SharedCall>(
        _ method: Request.Method,
        _ request: Request,
        isRetried: Bool = true
    ) async throws(TillError) -> Request.Response {
        try await withSession(isRetried: isRetried) { (session, timeout) async throws(TillError) in
            try await session.call(method, request, timeout: timeout)
        }
    }

    /// Runs `body` with a session, and retries while the daemon cannot be reached, for at most the configured time.
    ///
    /// Within ``PaymentQueue/inOneTimeout(_:)`` all calls share one deadline.
    ///
    /// - Parameter body: Takes the session and the remaining time.
    nonisolated func withSession<Value: Sendable>(
        isRetried: Bool = true,
        _ body: (DaemonSession, Duration) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let deadline = SharedDeadline.current ?? .now + configuration.callTimeout
        while true {
            let session = try await session(until: deadline)
            do {
                return try await body(session, max(.milliseconds(1), deadline - .now))
            } catch  where error.code == .unavailable {
                await drop(session)
                guard isRetried, .now < deadline, !Task.isCancelled else {
                    throw error
                }
            }
        }
    }
}

/// The deadline of all calls that make up one request of an application.
private enum SharedDeadline {
    @TaskLocal static var current: ContinuousClock.Instant?

    static func withValue<Value: Sendable>(
        _ deadline: ContinuousClock.Instant,
        _ body: () async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let result = await $current.withValue(deadline) {
            do throws(TillError) {
                return Result<Value, TillError>.success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension PaymentQueue {
    /// Gives all calls that `body` makes one deadline together, instead of one each.
    package func inOneTimeout<Value: Sendable>(
        _ body: (_ deadline: ContinuousClock.Instant) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let deadline = SharedDeadline.current ?? .now + configuration.callTimeout
        return try await SharedDeadline.withValue(deadline) { () async throws(TillError) in try await body(deadline) }
    }
}

extension TillOperator {
    /// Gives all calls that `body` makes this time together, instead of the configured time each.
    package func within<Value: Sendable>(
        _ timeout: Duration,
        _ body: () async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        try await SharedDeadline.withValue(.now + timeout, body)
    }
}
