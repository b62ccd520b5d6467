import Synchronization
import TTRPC
import TillModel
import TillWire

/// One connection that has said Hello.
final class Session: Sendable {
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
    /// - Parameter deadline: When to stop waiting for the daemon's answer, if that is before the time of a Hello is up.
    static func open(
        _ configuration: ClientConfiguration,
        until deadline: ContinuousClock.Instant
    ) async throws(TillError) -> Session {
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
        let hello: HelloResponse = try await call(
            client,
            PaymentQueueMethod.service,
            PaymentQueueMethod.hello.rawValue,
            request,
            timeout: max(.milliseconds(1), min(helloTimeout, configuration.callTimeout, deadline - .now))
        )
        return Session(client: client, hello: hello)
    }

    /// How long the connection has been open.
    var age: Duration {
        .now - openedAt
    }

    func call<Request: WireMessage, Response: WireMessage>(
        _ service: String,
        _ method: String,
        _ request: Request,
        timeout: Duration
    ) async throws(TillError) -> Response {
        try await Self.call(client, service, method, request, timeout: timeout)
    }

    /// Opens a stream of the queue's changes after `cursor`, or of everything unfinished and then the changes.
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
        let method = PaymentQueueMethod.observe.rawValue
        return ObservedStream(
            messages: stream(PaymentQueueMethod.service, method, request, callID: "observe-\(observer)"),
            observer: observer
        )
    }

    /// Opens a stream of what an authorisation agent is told.
    func watch() -> WatchedStream {
        let number = lastStream.wrappingAdd(1, ordering: .relaxed).newValue
        let request = WatchRequest(watchID: number)
        let method = AuthorizationMethod.watch.rawValue
        return WatchedStream(
            messages: stream(AuthorizationMethod.service, method, request, callID: "watch-\(number)")
        )
    }

    /// Reads the application's receipt, all of it within `timeout`.
    func applicationReceipt(timeout: Duration) async throws(TillError) -> [UInt8] {
        let number = lastStream.wrappingAdd(1, ordering: .relaxed).newValue
        let method = ReceiptsMethod.applicationReceipt.rawValue
        let parts = stream(
            ReceiptsMethod.service,
            method,
            ApplicationReceiptRequest(),
            callID: "receipt-\(number)",
            timeout: timeout
        )
        var receipt: [UInt8] = []
        while let bytes = try await parts.nextUnlessAtEnd() {
            receipt += try ReceiptPart(wire: bytes).data
        }
        return receipt
    }

    private func stream(
        _ service: String,
        _ method: String,
        _ request: some WireMessage,
        callID: String,
        timeout: Duration? = nil
    ) -> MessageStream {
        let messages = client.serverStreaming(
            service,
            method,
            request.wireBytes(),
            timeout: timeout,
            silenceMaximum: hello.heartbeat,
            metadata: ["call-id": callID]
        )
        return MessageStream(session: self, callID: callID, messages: messages)
    }

    /// Tells the daemon to end a stream that nobody reads any more.
    ///
    /// A sequence is left by letting go of its iterator, which cannot wait for the daemon: hence the task.
    func leave(callID: String) {
        Task {
            let _: CancelResponse? = try? await call(
                PaymentQueueMethod.service,
                PaymentQueueMethod.cancel.rawValue,
                CancelRequest(callID: callID),
                timeout: Self.helloTimeout
            )
        }
    }

    func close() {
        client.close()
    }

    private static func call<Request: WireMessage, Response: WireMessage>(
        _ client: TTRPCClient,
        _ service: String,
        _ method: String,
        _ request: Request,
        timeout: Duration
    ) async throws(TillError) -> Response {
        do {
            return try Response(wire: try await client.unary(service, method, request.wireBytes(), timeout: timeout))
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
