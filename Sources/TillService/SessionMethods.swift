import TTRPC
import TillModel
import TillWire

/// The methods that all connections share. Each is called with the session of its connection.
struct SessionMethods: Sendable {
    typealias StreamBody<Request: StreamingCall> =
        @Sendable (ClientSession, ServerCall, Request, ElementWriter<Request.Element>) async throws -> Void

    typealias CommandBody<Request: Call> =
        @Sendable (
            ClientSession, Request, _ answer: @escaping @Sendable (Result<Request.Response, TillError>) -> Void
        ) throws(TillError) -> Void

    private var services: [String: [String: @Sendable (ClientSession) -> MethodTable.Handler]] = [:]

    /// The methods, each as its service, a slash and its name.
    var paths: Set<String> {
        Set(services.flatMap { service, methods in methods.keys.map { "\(service)/\($0)" } })
    }

    /// The methods of the session's connection.
    func table(for session: ClientSession) -> MethodTable {
        MethodTable { service, method in services[service]?[method]?(session) }
    }

    /// Adds a method that answers with one message.
    mutating func unary<Request: Call>(
        _ body: @escaping @Sendable (ClientSession, ServerCall, Request) async throws -> Request.Response
    ) {
        add(Request.path, body)
    }

    /// Adds a method that answers with one message, and whose request other methods take too.
    mutating func unary<Request: SharedCall>(
        _ method: Request.Method,
        _ body: @escaping @Sendable (ClientSession, ServerCall, Request) async throws -> Request.Response
    ) {
        add(MethodPath(method), body)
    }

    private mutating func add<Request: UnaryRequest>(
        _ path: MethodPath,
        _ body: @escaping @Sendable (ClientSession, ServerCall, Request) async throws -> Request.Response
    ) {
        services[path.service, default: [:]][path.method] = { session in
            .unary { (call, bytes) async throws(RPCError) in
                do {
                    return try await body(session, call, try Request(wire: bytes)).wireBytes()
                } catch {
                    throw RPCError(answering: error)
                }
            }
        }
    }

    /// Adds a method that answers at once, on the connection's event loop: for a body that neither waits nor blocks.
    mutating func immediate<Request: Call>(
        _ body: @escaping @Sendable (ClientSession, Request) throws -> Request.Response
    ) {
        services[Request.path.service, default: [:]][Request.path.method] = { session in
            .immediate { bytes throws(RPCError) in
                do {
                    return try body(session, try Request(wire: bytes)).wireBytes()
                } catch {
                    throw RPCError(answering: error)
                }
            }
        }
    }

    /// Adds a method that only submits a command to the engine, and answers without a task once the command is durable.
    ///
    /// - Parameter body: Runs on the connection's event loop. It throws, or else calls its last argument once.
    mutating func command<Request: Call>(
        _ body: @escaping CommandBody<Request>
    ) {
        services[Request.path.service, default: [:]][Request.path.method] = { session in
            .deferred { bytes, reply in
                let answer: @Sendable (Result<Request.Response, TillError>) -> Void = { result in
                    reply.send { () throws(RPCError) in
                        do {
                            return try result.get().wireBytes()
                        } catch {
                            throw RPCError(answering: error)
                        }
                    }
                }
                do throws(TillError) {
                    try body(session, try Request(wire: bytes), answer)
                } catch {
                    answer(.failure(error))
                }
            }
        }
    }

    /// Adds a method that answers with a stream.
    mutating func streaming<Request: StreamingCall>(
        _ body: @escaping StreamBody<Request>
    ) {
        services[Request.path.service, default: [:]][Request.path.method] = { session in
            .serverStreaming { (call, bytes, writer) async throws(RPCError) in
                do {
                    try await body(session, call, try Request(wire: bytes), ElementWriter(writer: writer))
                } catch {
                    throw RPCError(answering: error)
                }
            }
        }
    }
}

/// Sends the elements of one stream.
struct ElementWriter<Element: WireMessage>: Sendable {
    let writer: ServerStreamWriter

    /// Sends an element after waiting until the peer has read enough.
    func write(_ element: Element) async throws(RPCError) {
        try await writer.write(element.wireBytes())
    }

    /// Sends an element whose bytes are made only once the peer has read enough.
    ///
    /// - Returns: Whether there was one to send.
    func write(making element: () async throws -> [UInt8]?) async throws -> Bool {
        try await writer.write(making: element)
    }
}
