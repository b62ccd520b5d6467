import TillModel
import TillWire

extension Connector {
    /// Calls the daemon for at most the configured time: until it answers, and again while it cannot be reached.
    ///
    /// - Parameter isRepeated: Whether the same request is sent again when the connection was lost before its answer;
    ///   what must not be done twice, and has no identity, is not.
    nonisolated func call<Request: WireMessage, Response: WireMessage>(
        _ service: String,
        _ method: String,
        _ request: Request,
        isRepeated: Bool = true
    ) async throws(TillError) -> Response {
        try await withSession(isRepeated: isRepeated) { (session, timeout) async throws(TillError) in
            try await session.call(service, method, request, timeout: timeout)
        }
    }

    /// Does something with the daemon for at most the configured time: until it has succeeded, and again while the daemon
    /// cannot be reached.
    ///
    /// Within ``PaymentQueue/inOneTimeout(_:)`` all calls share one time.
    ///
    /// - Parameter body: Is given what is left of the time.
    nonisolated func withSession<Value: Sendable>(
        isRepeated: Bool = true,
        _ body: (Session, Duration) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let deadline = SharedDeadline.current ?? .now + configuration.callTimeout
        while true {
            let session = try await session(until: deadline)
            do {
                return try await body(session, max(.milliseconds(1), deadline - .now))
            } catch  where error.code == .unavailable {
                await drop(session)
                guard isRepeated, .now < deadline, !Task.isCancelled else {
                    throw error
                }
            }
        }
    }
}

/// When the calls end that make up one request of an application.
private enum SharedDeadline {
    @TaskLocal static var current: ContinuousClock.Instant?
}

extension PaymentQueue {
    /// Has all calls that `body` makes end within the configured time together, rather than each in a time of its own.
    package func inOneTimeout<Value: Sendable>(
        _ body: (_ deadline: ContinuousClock.Instant) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        let deadline = SharedDeadline.current ?? .now + configuration.callTimeout
        let result = await SharedDeadline.$current.withValue(deadline) {
            do throws(TillError) {
                return Result<Value, TillError>.success(try await body(deadline))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
