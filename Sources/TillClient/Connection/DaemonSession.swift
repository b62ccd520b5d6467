import FoundationEssentials
import Synchronization
import TTRPC
import TillModel
import TillWire

/// One connection to the daemon that has completed Hello.
final class DaemonSession: ConnectorSession {
    static let helloTimeout = Duration.seconds(5)

    let hello: HelloResponse
    private let client: TTRPCClient
    private let openedAt = ContinuousClock.now
    private let lastStream = Atomic<UInt32>(0)

    private init(client: TTRPCClient, hello: HelloResponse) {
        self.client = client
        self.hello = hello
    }

    /// Connects and says Hello.
    ///
    /// - Parameter deadline: When to stop waiting for the daemon's answer, if that is before the timeout of Hello.
    static func open(
        _ configuration: ClientConfiguration,
        until deadline: ContinuousClock.Instant
    ) async throws(TillError) -> DaemonSession {
        let client: TTRPCClient
        do {
            client = try await TTRPCClient.connect(path: configuration.socketPath)
        } catch  where error.code == .permissionDenied {
            throw TillError(
                .permissionDenied,
                "This user may not use the daemon at \(configuration.socketPath); its operator allows users with --allow-users.",
                cause: error
            )
        } catch {
            throw TillError(
                .unavailable,
                "No daemon answers at \(configuration.socketPath); start tilld, or name its socket.",
                cause: error
            )
        }
        let request = HelloRequest(
            protocolMinimum: WireProtocol.version,
            protocolMaximum: WireProtocol.version,
            application: configuration.application,
            capabilities: [],
            client: "TillClient"
        )
        let hello = try await call(
            client,
            HelloRequest.path,
            request,
            timeout: max(.milliseconds(1), min(helloTimeout, configuration.callTimeout, deadline - .now))
        )
        return DaemonSession(client: client, hello: hello)
    }

    var ledgerID: UUID {
        hello.ledgerID
    }

    var age: Duration {
        .now - openedAt
    }

    func call<Request: Call>(_ request: Request, timeout: Duration) async throws(TillError) -> Request.Response {
        try await Self.call(client, Request.path, request, timeout: timeout)
    }

    func call<Request: SharedCall>(
        _ method: Request.Method,
        _ request: Request,
        timeout: Duration
    ) async throws(TillError) -> Request.Response {
        try await Self.call(client, MethodPath(method), request, timeout: timeout)
    }

    /// Opens a stream of the queue's changes after `cursor`; if it is nil, of all unfinished transactions and then
    /// changes.
    func observe(
        after cursor: UInt64?,
        resumesInitialDelivery: Bool,
        collapsesRenewals: Bool,
        isPassive: Bool
    ) -> ObservedStream {
        let observer = lastStream.wrappingAdd(1, ordering: .relaxed).newValue
        let request = ObserveRequest(
            observerID: observer,
            after: cursor,
            window: ObservedStream.window,
            resumesInitialDelivery: resumesInitialDelivery,
            collapsesRenewals: collapsesRenewals,
            isPassive: isPassive
        )
        return ObservedStream(messages: stream(request, callID: "observe-\(observer)"), observer: observer)
    }

    /// Opens a stream of the events for an authorisation agent.
    func watch() -> WatchedStream {
        let number = lastStream.wrappingAdd(1, ordering: .relaxed).newValue
        return WatchedStream(messages: stream(WatchRequest(watchID: number), callID: "watch-\(number)"))
    }

    /// Reads the whole receipt of the application within `timeout`.
    func applicationReceipt(timeout: Duration) async throws(TillError) -> [UInt8] {
        let parts = stream(ApplicationReceiptRequest(), callID: nextCallID("receipt"), timeout: timeout)
        var receipt: [UInt8] = []
        while let part = try await parts.nextUnlessAtEnd() {
            receipt += part.data
        }
        return receipt
    }

    /// Opens a stream of the bytes of a backup.
    func backup(_ request: BackupRequest) -> MessageStream<BackupResponse> {
        // The file may be written more slowly than the daemon sends.
        stream(request, callID: nextCallID("backup"), pausesConnection: true)
    }

    /// Opens a stream of charges and refunds.
    func export(_ request: ExportRequest) -> MessageStream<ExportResponse> {
        stream(request, callID: nextCallID("export"), pausesConnection: true)
    }

    private func nextCallID(_ name: String) -> String {
        "\(name)-\(lastStream.wrappingAdd(1, ordering: .relaxed).newValue)"
    }

    private func stream<Request: StreamingCall>(
        _ request: Request,
        callID: String,
        timeout: Duration? = nil,
        pausesConnection: Bool = false
    ) -> MessageStream<Request.Element> {
        let messages = client.serverStreaming(
            Request.path.service,
            Request.path.method,
            request.wireBytes(),
            timeout: timeout,
            silenceMaximum: hello.heartbeat,
            metadata: ["call-id": callID],
            pausesConnection: pausesConnection
        )
        return MessageStream(session: self, callID: callID, messages: messages)
    }

    /// Asks the daemon to end a stream that is no longer read.
    ///
    /// The caller is the `deinit` of an iterator, which cannot wait for the daemon. So a task makes the call.
    func leave(callID: String) {
        Task {
            _ = try? await call(CancelRequest(callID: callID), timeout: Self.helloTimeout)
        }
    }

    func close() {
        client.close()
    }

    private static func call<Request: UnaryRequest>(
        _ client: TTRPCClient,
        _ path: MethodPath,
        _ request: Request,
        timeout: Duration
    ) async throws(TillError) -> Request.Response {
        do {
            let answer = try await client.unary(path.service, path.method, request.wireBytes(), timeout: timeout)
            return try Request.Response(wire: answer)
        } catch let error as RPCError {
            throw TillError(error)
        } catch let error as TillError {
            throw TillError(.internal, "The daemon's answer cannot be read (\(error.message)); update Till.")
        } catch {
            throw TillError(.unknown, "The call failed.", cause: error)
        }
    }
}

extension TillError {
    init(_ error: RPCError) {
        self.init(Code(rawValue: error.code.rawValue), error.message)
    }
}
