/// The methods that one connection may call.
public struct MethodTable: Sendable {
    /// Answers one request with one message.
    ///
    /// It is not cancelled at its deadline: an answer that comes later is dropped. Its task is cancelled when the
    /// connection closes.
    public typealias Unary = @Sendable (ServerCall, [UInt8]) async throws(RPCError) -> [UInt8]

    /// Answers one request with one message at once: on the connection's event loop, and without a task or a place of its
    /// own. It must neither block nor wait, and its answer must be small: no room is kept for it.
    public typealias Immediate = @Sendable ([UInt8]) throws(RPCError) -> [UInt8]

    /// Answers one request with many messages, and ends the stream by returning or throwing.
    ///
    /// Its task is cancelled when the connection closes, the deadline passes or the client cancels the call.
    public typealias ServerStreaming =
        @Sendable (ServerCall, [UInt8], ServerStreamWriter) async throws(RPCError) -> Void

    /// What runs when a method is called.
    public enum Handler: Sendable {
        /// One answer.
        case unary(Unary)
        /// One answer, at once.
        case immediate(Immediate)
        /// Many answers.
        case serverStreaming(ServerStreaming)
    }

    private var services: [String: [String: Handler]] = [:]
    private let find: @Sendable (_ service: String, _ method: String) -> Handler?

    /// Makes an empty table; every call of it is answered UNIMPLEMENTED.
    public init() {
        find = { _, _ in nil }
    }

    /// Makes a table of handlers that are made when they are called, so that many connections can share what they have in
    /// common.
    ///
    /// - Parameter find: Makes the handler of a service's method, if there is one; called on the connection's event loop
    ///   for each request of a method that was not set otherwise.
    public init(finding find: @escaping @Sendable (_ service: String, _ method: String) -> Handler?) {
        self.find = find
    }

    /// The handler of a service's method.
    public subscript(service: String, method: String) -> Handler? {
        get { services[service]?[method] ?? find(service, method) }
        set { services[service, default: [:]][method] = newValue }
    }

    /// Finds the handler that a request names, or says why there is none.
    func handler(of request: RequestEnvelope, flags: FrameFlags) throws(RPCError) -> Handler {
        guard !request.service.isEmpty else {
            throw RPCError(code: .invalidArgument, message: "the request names no service")
        }
        guard !flags.contains(.remoteOpen) else {
            throw RPCError(code: .unimplemented, message: "this server takes no client streams")
        }
        guard let handler = self[request.service, request.method] else {
            throw RPCError(code: .unimplemented, message: "the service or method is not known here")
        }
        if case .serverStreaming = handler, !flags.contains(.remoteClosed) {
            throw RPCError(code: .invalidArgument, message: "the method streams, but the request's flags say unary")
        }
        return handler
    }
}
