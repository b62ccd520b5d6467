/// A call whose stream is open and whose handler will run. It is a class, so passing it on costs one reference.
final class AcceptedCall: Sendable {
    /// The handler to run, and for a stream the signal that ends it early.
    enum Work: Sendable {
        case unary(MethodTable.Unary)
        case streaming(MethodTable.ServerStreaming, ServerStreamWriter, end: AsyncStream<Never>)
    }

    private let work: Work
    private let call: ServerCall
    private let payload: [UInt8]

    init(work: Work, call: ServerCall, payload: [UInt8]) {
        self.work = work
        self.call = call
        self.payload = payload
    }

    /// Runs the handler and reports its result to the event loop.
    func perform(reportingTo mailbox: LoopMailbox<ServerItem>) async {
        // A closed mailbox needs no result.
        switch work {
        case .unary(let body):
            _ = mailbox.post(.answer(call.streamID, await answer(body)))
        case .streaming(let body, let writer, let end):
            _ = mailbox.post(.streamEnd(call.streamID, await stream(body, writer, until: end)))
        }
    }

    private func answer(_ body: MethodTable.Unary) async -> ResponseEnvelope {
        do throws(RPCError) {
            return .success(try await body(call, payload))
        } catch {
            return .failure(error)
        }
    }

    /// Runs a streaming handler concurrently with a task that waits for the stream's early end. The first to finish
    /// cancels the other.
    private func stream(
        _ body: @escaping MethodTable.ServerStreaming,
        _ writer: ServerStreamWriter,
        until end: AsyncStream<Never>
    ) async -> RPCError? {
        await withTaskGroup(of: StreamEnd.self) { group in
            // Starts immediately, so that the stream has begun before any later call of the connection runs, including
            // one that cancels it.
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
