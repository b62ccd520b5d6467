import FoundationEssentials

/// A server and a client of grpc-swift-2 for a method that returns the bytes of its request.
@main
enum GRPCPeer {
    private static let usage = """
        usage: grpc-swift serve SOCKET
               grpc-swift load SOCKET SAMPLES CONNECTIONS IN_FLIGHT WARM_UP_SECONDS SECONDS
        """

    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "serve" {
            try await Echo.serve(at: arguments[2])
        } else if arguments.count == 8, arguments[1] == "load", let load = EchoLoad(Array(arguments[2...])) {
            print(try await load.run())
        } else {
            throw UsageError(description: usage)
        }
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description: String
}
