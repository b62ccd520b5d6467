package import TillModel
import TillWire

extension Connector {
    /// Runs `body` with a session, and retries while the daemon cannot be reached, until the deadline.
    ///
    /// - Parameters:
    ///   - isRetried: Whether to run `body` again when the connection is lost before it returns: false for a request
    ///     that is not idempotent.
    ///   - body: Takes the session and the remaining time.
    package nonisolated func withSession<Value: Sendable>(
        until deadline: Time.Instant,
        isRetried: Bool = true,
        _ body: (Session, Duration) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        while true {
            let session = try await session(until: deadline)
            do {
                return try await body(session, max(.milliseconds(1), clock.now.duration(to: deadline)))
            } catch  where error.code == .unavailable {
                await drop(session)
                guard isRetried, clock.now < deadline, !Task.isCancelled else {
                    throw error
                }
            }
        }
    }
}

/// Keeps the connection of a client to a daemon, and calls the daemon with it.
struct DaemonConnector: Sendable {
    let connection: Connector<DaemonSession, ContinuousClock>
    private let callTimeout: Duration

    init(_ configuration: ClientConfiguration) {
        callTimeout = configuration.callTimeout
        connection = Connector(
            socketPath: configuration.socketPath,
            clock: .continuous,
            random: SystemRandomNumberGenerator()
        ) { (deadline) async throws(TillError) in
            try await DaemonSession.open(configuration, until: deadline)
        }
    }

    /// Calls the daemon, and retries while it cannot be reached, for at most the configured time.
    ///
    /// - Parameter isRetried: Whether to send the request again when the connection is lost before the answer: false
    ///   for a request that is not idempotent.
    func call<Request: Call>(
        _ request: Request,
        isRetried: Bool = true
    ) async throws(TillError) -> Request.Response {
        try await withSession(isRetried: isRetried) { (session, timeout) async throws(TillError) in
            try await session.call(request, timeout: timeout)
        }
    }

    /// The same for a request that several methods take.
    func call<Request: SharedCall>(
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
    func withSession<Value: Sendable>(
        isRetried: Bool = true,
        _ body: (DaemonSession, Duration) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        try await connection.withSession(
            until: SharedDeadline.current ?? .now + callTimeout,
            isRetried: isRetried,
            body
        )
    }

    /// The connection for a stream, which is opened within the configured time.
    func session() async throws(TillError) -> DaemonSession {
        try await connection.session(until: SharedDeadline.current ?? .now + callTimeout)
    }

    func close() async {
        await connection.close()
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
