/// The methods that one connection may call.
public struct MethodTable: Sendable {
    /// Answers one request with one message.
    ///
    /// It is not cancelled at its deadline; a later answer is dropped. Its task is cancelled when the connection
    /// closes.
    public typealias Unary = @Sendable (ServerCall, [UInt8]) async throws(RPCError) -> [UInt8]

    /// Answers one request with one message immediately, on the connection's event loop, without a task or a stream. It
    /// must neither block nor suspend, and its answer must be small because it is not counted against the outbound
    /// budget before it is written.
    public typealias Immediate = @Sendable ([UInt8]) throws(RPCError) -> [UInt8]

    /// Accepts one request immediately, on the connection's event loop, without a task, and sends its one answer later.
    ///
    /// It must neither block nor suspend. It must answer exactly once, even after the connection has closed; until then
    /// the call counts as in flight. It is not told of its deadline; a later answer is dropped.
    public typealias Deferred = @Sendable ([UInt8], ServerReply) -> Void

    /// Answers one request with many messages, and ends the stream by returning or throwing.
    ///
    /// Its task is cancelled when the connection closes, the deadline passes or the client cancels the call.
    public typealias ServerStreaming =
        @Sendable (ServerCall, [UInt8], ServerStreamWriter) async throws(RPCError) -> Void

    /// The implementation of a method.
    public enum Handler: Sendable {
        /// One answer.
        case unary(Unary)
        /// One answer, given immediately on the event loop.
        case immediate(Immediate)
        /// One answer, sent later without a task.
        case deferred(Deferred)
        /// Many answers.
        case serverStreaming(ServerStreaming)
    }

    private var services: [String: [String: Handler]] = [:]
    private let find: @Sendable (_ service: String, _ method: String) -> Handler?

    /// Creates an empty table; every call is answered with UNIMPLEMENTED.
    public init() {
        find = { _, _ in nil }
    }

    /// Creates a table whose handlers are looked up for each call, so that many connections can share state.
    ///
    /// - Parameter find: Returns the handler of a service's method, if there is one. Called on the connection's event
    ///   loop for each request whose method has no handler set in this table.
    public init(finding find: @escaping @Sendable (_ service: String, _ method: String) -> Handler?) {
        self.find = find
    }

    /// The handler of a service's method.
    public subscript(service: String, method: String) -> Handler? {
        get { services[service]?[method] ?? find(service, method) }
        set { services[service, default: [:]][method] = newValue }
    }

    /// Returns the handler that a request names, or throws the reason for refusing the request.
    func handler(of request: RequestEnvelope, flags: FrameFlags) throws(RPCError) -> Handler {
        guard !request.service.isEmpty else {
            throw RPCError(code: .invalidArgument, message: "the request names no service")
        }
        guard !flags.contains(.remoteOpen) else {
            throw RPCError(code: .unimplemented, message: "this server does not support client streams")
        }
        guard let handler = self[request.service, request.method] else {
            throw RPCError(code: .unimplemented, message: "unknown service or method")
        }
        if case .serverStreaming = handler, !flags.contains(.remoteClosed) {
            throw RPCError(code: .invalidArgument, message: "the method streams, but the request's flags say unary")
        }
        return handler
    }
}
