import FoundationEssentials
import GRPCCore
import GRPCNIOTransportHTTP2Posix

/// Keeps calls in flight on connections for some time.
struct EchoLoad: Sendable {
    private static let payload = [UInt8](repeating: 0x61, count: 200)

    private let socket: String
    private let samples: String
    private let connections: Int
    private let inFlight: Int
    private let warmUp: Double
    private let seconds: Double

    /// Parses the arguments; returns nil if they are invalid.
    init?(_ arguments: [String]) {
        guard arguments.count == 6, let connections = Int(arguments[2]), let inFlight = Int(arguments[3]),
            let warmUp = Double(arguments[4]), let seconds = Double(arguments[5]), connections > 0, inFlight > 0,
            seconds > 0
        else {
            return nil
        }
        socket = arguments[0]
        samples = arguments[1]
        self.connections = connections
        self.inFlight = inFlight
        self.warmUp = warmUp
        self.seconds = seconds
    }

    /// Writes the latencies, and returns their number as JSON.
    func run() async throws -> String {
        try await waitForServer()
        let from = ContinuousClock.now + .seconds(warmUp)
        let until = from + .seconds(seconds)
        let taken = try await withThrowingTaskGroup(of: [UInt32].self) { group in
            for _ in 0..<connections {
                group.addTask { try await connect(inFlight, from, until) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let bytes = taken.flatMap { unit in stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: unit >> $0) }
        }
        try Data(bytes).write(to: URL(filePath: samples))
        return """
            {"protocol":"grpc-swift","connections":\(connections),"inFlight":\(inFlight),"seconds":\(seconds),\
            "operations":\(taken.count),"events":0,"errors":0}
            """
    }

    private typealias Moment = ContinuousClock.Instant

    /// Waits until the server has answered a call, so that measuring starts with a ready server.
    private func waitForServer() async throws {
        while !FileManager.default.fileExists(atPath: socket) {
            try await Task.sleep(for: .milliseconds(10))
        }
        _ = try await connect(1, .now, .now)
    }

    /// Keeps at least one call in flight on its own connection; returns the latencies.
    private func connect(_ inFlight: Int, _ from: Moment, _ until: Moment) async throws -> [UInt32] {
        let transport = try HTTP2ClientTransport.Posix(
            target: .unixDomainSocket(path: socket),
            transportSecurity: .plaintext
        )
        return try await withGRPCClient(transport: transport) { client in
            try await withThrowingTaskGroup(of: [UInt32].self) { group in
                for _ in 0..<inFlight {
                    group.addTask { try await call(client, from, until) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
    }

    /// Makes one call after another; returns the latencies in units of 100 ns.
    private func call<Transport: ClientTransport>(
        _ client: GRPCClient<Transport>,
        _ from: Moment,
        _ until: Moment
    ) async throws -> [UInt32] {
        var taken: [UInt32] = []
        var options = CallOptions.defaults
        // The server may still be starting.
        options.waitForReady = true
        options.timeout = .seconds(30)
        var before = Moment.now
        repeat {
            let answer = try await client.unary(
                request: ClientRequest(message: Self.payload),
                descriptor: Echo.method,
                serializer: BytesSerializer(),
                deserializer: BytesDeserializer(),
                options: options
            ) { try $0.message }
            guard answer == Self.payload else {
                throw RPCError(code: .dataLoss, message: "The answer differs from the request.")
            }
            let after = Moment.now
            if after >= from, after < until {
                taken.append(UInt32(clamping: Int((after - before) / .nanoseconds(100))))
            }
            before = after
        } while before < until
        return taken
    }
}
