import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import TillEngine
import TillModel
import TillProviders
import TillService
import TillTesting
import TillWire

@testable import TTRPC

extension FuzzTarget {
    /// A whole service over a ledger in memory: calls of any methods with any payloads, one after the other.
    static let service = FuzzTarget("service", waiting: { input in
        let play = ServicePlay()
        await play.run(FuzzScript(input))
    })
}

/// One connection of an operator to a service of its own, whose clock goes on while a call waits.
private struct ServicePlay: Sendable {
    private static let methods: [(service: String, method: String)] =
        PaymentQueueMethod.allCases.map { (PaymentQueueMethod.service, $0.rawValue) }
        + ProductsMethod.allCases.map { (ProductsMethod.service, $0.rawValue) }
        + DownloadsMethod.allCases.map { (DownloadsMethod.service, $0.rawValue) }
        + ReceiptsMethod.allCases.map { (ReceiptsMethod.service, $0.rawValue) }
        + AuthorizationMethod.allCases.map { (AuthorizationMethod.service, $0.rawValue) }
        + OperatorMethod.allCases.map { (OperatorMethod.service, $0.rawValue) }
        + HealthMethod.allCases.map { (HealthMethod.service, $0.rawValue) }

    /// What never is an answer to a peer, whatever it sends.
    private static let faults: Set<RPCStatusCode> = [.internalError, .unknown, .dataLoss]

    private let time = VirtualTime()
    private let loop = NIOAsyncTestingEventLoop()
    private let engine: PaymentEngine
    private let table: MethodTable
    private let peer = Peer(uid: 1, gid: 1, pid: 1, connectionID: 1)

    init() {
        engine = PaymentEngine(
            ledger: MemoryLedger(),
            catalogue: TestCatalogue(),
            provider: SimulatedProvider(time: time),
            configuration: EngineConfiguration(),
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() },
            time: time
        )
        table = TillService(engine: engine, policy: AccessPolicy(own: 1), server: "fuzz/1").methods(for: peer)
    }

    func run(_ script: FuzzScript) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do { try await engine.run() } catch { promise(error is CancellationError, "the engine goes on: \(error)") }
            }
            var script = script
            let hello = HelloRequest(application: "org.example.notes", client: "fuzz")
            await call(PaymentQueueMethod.service, PaymentQueueMethod.hello.rawValue, hello.wireBytes())
            while let step = script.next() {
                let (service, method) = Self.methods[Int(step) % Self.methods.count]
                await call(service, method, script.longPiece())
            }
            engine.stop()
        }
    }

    private func call(_ service: String, _ method: String, _ payload: [UInt8]) async {
        let isDone = NIOLockedValueBox(false)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !isDone.withLockedValue({ $0 }) {
                    for _ in 0..<100 where !isDone.withLockedValue({ $0 }) { await Task.yield() }
                    time.advance(by: 1)
                }
            }
            do throws(RPCError) {
                try await perform(service, method, payload)
            } catch {
                promise(!Self.faults.contains(error.code), "\(method) fails for a reason that its peer gave: \(error)")
            }
            isDone.withLockedValue { $0 = true }
        }
    }

    private func perform(_ service: String, _ method: String, _ payload: [UInt8]) async throws(RPCError) {
        let mailbox = LoopMailbox<ServerItem>(eventLoop: loop)
        let request = RequestEnvelope(service: service, method: method, payload: payload)
        let call = ServerCall(peer: peer, request: request, deadline: .distantFuture, mailbox: mailbox)
        switch table[service, method] {
        case .unary(let body):
            _ = try await body(call, payload)
        case .serverStreaming(let body):
            try await stream(body, call, payload, mailbox)
        case nil:
            promise(false, "\(method) is served")
        }
    }

    /// Has a stream say what it has to say at once, and cancels it.
    private func stream(
        _ body: @escaping MethodTable.ServerStreaming,
        _ call: ServerCall,
        _ payload: [UInt8],
        _ mailbox: LoopMailbox<ServerItem>
    ) async throws(RPCError) {
        let gate = WriteGate(bytesMaximum: 1 << 20, total: OutboundTotal(bytesMaximum: 1 << 20, share: 1 << 20))
        gate.open(1)
        let writer = ServerStreamWriter(streamID: 1, lengthMaximum: 256 << 10, gate: gate, mailbox: mailbox)
        let stream = Task { () async -> RPCError? in
            do throws(RPCError) {
                try await body(call, payload, writer)
                return nil
            } catch {
                return error
            }
        }
        for _ in 0..<50 { await Task.yield() }
        stream.cancel()
        if let error = await stream.value { throw error }
    }
}
