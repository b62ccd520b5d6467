import TTRPC
import TillWire

/// The methods that all connections share; what differs between connections is in the session that each is called with.
struct SessionMethods: Sendable {
    private var services: [String: [String: @Sendable (Session) -> MethodTable.Handler]] = [:]

    /// Each method, after its service and a slash.
    var paths: Set<String> {
        Set(services.flatMap { service, methods in methods.keys.map { "\(service)/\($0)" } })
    }

    /// The methods of the session's connection.
    func table(for session: Session) -> MethodTable {
        MethodTable { service, method in services[service]?[method]?(session) }
    }

    /// Adds a method that turns one message into another.
    mutating func unary<Request: WireMessage, Response: WireMessage>(
        _ service: String,
        _ method: String,
        _ body: @escaping @Sendable (Session, ServerCall, Request) async throws -> Response
    ) {
        services[service, default: [:]][method] = { session in
            .unary { (call, bytes) async throws(RPCError) in
                do {
                    return try await body(session, call, try Request(wire: bytes)).wireBytes()
                } catch {
                    throw RPCError(answering: error)
                }
            }
        }
    }

    /// Adds a method that turns one message into another at once, on the connection's event loop: for what neither waits
    /// nor blocks.
    mutating func immediate<Request: WireMessage, Response: WireMessage>(
        _ service: String,
        _ method: String,
        _ body: @escaping @Sendable (Session, Request) throws -> Response
    ) {
        services[service, default: [:]][method] = { session in
            .immediate { bytes throws(RPCError) in
                do {
                    return try body(session, try Request(wire: bytes)).wireBytes()
                } catch {
                    throw RPCError(answering: error)
                }
            }
        }
    }

    /// Adds a method that answers one message with a stream of them.
    mutating func streaming<Request: WireMessage>(
        _ service: String,
        _ method: String,
        _ body: @escaping @Sendable (Session, ServerCall, Request, ServerStreamWriter) async throws -> Void
    ) {
        services[service, default: [:]][method] = { session in
            .serverStreaming { (call, bytes, writer) async throws(RPCError) in
                do {
                    try await body(session, call, try Request(wire: bytes), writer)
                } catch {
                    throw RPCError(answering: error)
                }
            }
        }
    }
}
