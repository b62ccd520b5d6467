import GRPCCore
import GRPCNIOTransportHTTP2Posix

/// The echo service, described by hand.
struct Echo: RegistrableRPCService {
    static let method = MethodDescriptor(fullyQualifiedService: "bench.Echo", method: "Echo")

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
            forMethod: Self.method,
            deserializer: BytesDeserializer(),
            serializer: BytesSerializer()
        ) { request, _ in
            let request = try await ServerRequest(stream: request)
            return StreamingServerResponse(single: ServerResponse(message: request.message))
        }
    }

    /// Answers until the program is ended.
    static func serve(at socket: String) async throws {
        let transport = HTTP2ServerTransport.Posix(
            address: .unixDomainSocket(path: socket),
            transportSecurity: .plaintext
        )
        try await GRPCServer(transport: transport, services: [Echo()]).serve()
    }
}
