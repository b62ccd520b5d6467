/// A call whose stream is open and whose handler is to run; a class, so that handing it on costs one reference.
final class AcceptedCall: Sendable {
    /// What runs, and for a stream what ends it early.
    enum Work: Sendable {
        case unary(MethodTable.Unary)
        case streaming(MethodTable.ServerStreaming, ServerStreamWriter, end: AsyncStream<Never>)
    }

    private let work: Work
    private let call: ServerCall
    private let payload: [UInt8]
    private let gate: WriteGate

    init(work: Work, call: ServerCall, payload: [UInt8], gate: WriteGate) {
        self.work = work
        self.call = call
        self.payload = payload
        self.gate = gate
    }

    /// Runs the handler and tells the event loop how it ended.
    func perform(reportingTo mailbox: LoopMailbox<ServerItem>) async {
        // A closed mailbox has nobody left to tell.
        switch work {
        case .unary(let body):
            _ = mailbox.post(.answer(call.streamID, await admitted(await answer(body))))
        case .streaming(let body, let writer, let end):
            _ = mailbox.post(.streamEnd(call.streamID, await stream(body, writer, until: end)))
        }
    }

    /// The answer, once there is room for it: until then the call holds its place. A closed gate needs none.
    ///
    /// One that there is no room for was answered all the same by its handler, so that its caller must not take it for
    /// undone.
    private func admitted(_ envelope: ResponseEnvelope) async -> ResponseEnvelope {
        do throws(RPCError) {
            guard try await gate.reserve(answer: envelope.sizeEstimate) else {
                let refusal = ResponseEnvelope.failure(Self.dropped)
                gate.add(refusal.sizeEstimate)
                return refusal
            }
        } catch {
            return envelope
        }
        return envelope
    }

    private static let dropped = RPCError(
        code: .unavailable,
        message: "too many answers wait to be read, and this one was dropped; repeat the request with the same identity"
    )

    private func answer(_ body: MethodTable.Unary) async -> ResponseEnvelope {
        do throws(RPCError) {
            return .success(try await body(call, payload))
        } catch {
            return .failure(error)
        }
    }

    /// Runs a streaming handler beside a task that waits for the stream's early end; the first to end cancels the other.
    private func stream(
        _ body: @escaping MethodTable.ServerStreaming,
        _ writer: ServerStreamWriter,
        until end: AsyncStream<Never>
    ) async -> RPCError? {
        await withTaskGroup(of: StreamEnd.self) { group in
            // At once, so that a stream has begun before any later call of the connection runs, one that ends it included.
            group.addImmediateTask { [call, payload] in
                do throws(RPCError) {
                    try await body(call, payload, writer)
                    return .returned
                } catch {
                    return .threw(error)
                }
            }
            group.addTask {
                for await _ in end {}
                return .endedEarly
            }
            var result: RPCError?
            for await streamEnd in group {
                group.cancelAll()
                if case .threw(let error) = streamEnd { result = error }
            }
            return result
        }
    }

    private enum StreamEnd {
        case returned
        case threw(RPCError)
        case endedEarly
    }
}
