package import TTRPC
package import TillEngine
import TillModel
import TillWire

/// The services of a daemon: each method is one call of the engine.
package struct TillService: Sendable {
    /// The most capabilities that a Hello may name.
    package static let capabilitiesMaximum = 64

    let engine: PaymentEngine
    let policy: AccessPolicy
    /// The daemon's name and version, for Hello.
    let server: String

    package init(engine: PaymentEngine, policy: AccessPolicy, server: String) {
        self.engine = engine
        self.policy = policy
        self.server = server
    }

    /// The methods of one connection, whose process nobody has looked at.
    package func methods(for peer: Peer) -> MethodTable {
        methods(for: Caller(peer))
    }

    /// The methods of one connection.
    package func methods(for caller: Caller) -> MethodTable {
        let session = Session(caller: caller, policy: policy)
        var table = MethodTable()
        addPaymentQueue(to: &table, session)
        addProducts(to: &table, session)
        addDownloads(to: &table, session)
        addReceipts(to: &table, session)
        addAuthorization(to: &table, session)
        addOperator(to: &table, session)
        addHealth(to: &table)
        return table
    }
}

extension MethodTable {
    /// Adds a method that turns one message into another.
    mutating func unary<Request: WireMessage, Response: WireMessage>(
        _ service: String,
        _ method: String,
        _ body: @escaping @Sendable (ServerCall, Request) async throws -> Response
    ) {
        self[service, method] = .unary { (call, bytes) async throws(RPCError) in
            do {
                return try await body(call, try Request(wire: bytes)).wireBytes()
            } catch {
                throw RPCError(answering: error)
            }
        }
    }

    /// Adds a method that turns one message into another at once, on the connection's event loop: for what neither waits
    /// nor blocks.
    mutating func immediate<Request: WireMessage, Response: WireMessage>(
        _ service: String,
        _ method: String,
        _ body: @escaping @Sendable (Request) throws -> Response
    ) {
        self[service, method] = .immediate { bytes throws(RPCError) in
            do {
                return try body(try Request(wire: bytes)).wireBytes()
            } catch {
                throw RPCError(answering: error)
            }
        }
    }

    /// Adds a method that answers one message with a stream of them.
    mutating func streaming<Request: WireMessage>(
        _ service: String,
        _ method: String,
        _ body: @escaping @Sendable (Request, ServerStreamWriter) async throws -> Void
    ) {
        self[service, method] = .serverStreaming { (_, bytes, writer) async throws(RPCError) in
            do {
                try await body(try Request(wire: bytes), writer)
            } catch {
                throw RPCError(answering: error)
            }
        }
    }
}

extension RPCError {
    /// What a peer is told of an error: never its cause.
    init(answering error: any Error) {
        switch error {
        case let error as RPCError:
            self = error
        case let error as TillError:
            self.init(code: RPCStatusCode(rawValue: error.code.rawValue), message: error.message)
        case is CancellationError:
            self.init(code: .cancelled, message: "The call was cancelled.")
        default:
            self.init(code: .internalError, message: "The daemon failed to answer; its log says more.")
        }
    }
}
