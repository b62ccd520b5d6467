import Logging
import TTRPC

/// The example of TTRPC's landing page.
func echo(listening descriptor: CInt, at path: String) async throws {
    let server = TTRPCServer(logger: Logger(label: "echo")) { peer in
        var methods = MethodTable()
        methods["example.Echo", "Echo"] = .unary { _, request in request }
        return methods
    }
    async let serving: Void = server.run(listening: descriptor)
    let client = try await TTRPCClient.connect(path: path)
    let reply = try await client.unary("example.Echo", "Echo", Array("hello".utf8))
    print(String(decoding: reply, as: UTF8.self))
    server.shutDown()
    try await serving
}
