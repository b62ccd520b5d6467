import Logging
@testable import TTRPC

extension MethodTable {
    /// Methods that echo (immediately or in a task) or fail, and streams that count, write without end, or wait to be
    /// ended.
    static var testing: MethodTable {
        var methods = MethodTable()
        methods["test.Echo", "Echo"] = .unary { _, request in request }
        methods["test.Echo", "EchoNow"] = .immediate { request in request }
        methods["test.Echo", "FailNow"] = .immediate { (_) throws(RPCError) in
            throw RPCError(code: .failedPrecondition, message: "as asked")
        }
        methods["test.Echo", "Fail"] = .unary { (_, _) throws(RPCError) in
            throw RPCError(code: .failedPrecondition, message: "as asked")
        }
        methods["test.Echo", "Large"] = .unary { _, request in [UInt8](repeating: 7, count: request.count * 1024) }
        methods["test.Echo", "WaitForCancel"] = .unary { (_, _) throws(RPCError) in
            await forever()
            return []
        }
        methods["test.Echo", "Cancel"] = .unary { call, request in
            await call.cancelCalls(id: String(decoding: request, as: UTF8.self)) ? [1] : [0]
        }
        methods["test.Count", "Count"] = .serverStreaming { (_, request, writer) throws(RPCError) in
            for number in 0..<(request.first ?? 0) { try await writer.write([number]) }
        }
        methods["test.Count", "CountThenFail"] = .serverStreaming { (_, _, writer) throws(RPCError) in
            try await writer.write([1])
            throw RPCError(code: .dataLoss, message: "as asked")
        }
        methods["test.Count", "Flood"] = .serverStreaming { (_, _, writer) throws(RPCError) in
            while true { try await writer.write([UInt8](repeating: 1, count: 65536)) }
        }
        methods["test.Count", "Wait"] = .serverStreaming { (_, _, writer) throws(RPCError) in
            try await writer.write([0])
            await forever()
        }
        return methods
    }
}

/// Waits until the task is cancelled.
func forever() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
}

/// An event that happens once and that a test waits for.
struct Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    func send() {
        continuation.finish()
    }

    func wait() async {
        for await _ in stream {}
    }
}

/// Waits until a condition holds, or the test's time is over.
func until(_ condition: () -> Bool) async throws {
    while !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

extension Logger {
    static var silent: Logger {
        Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    }
}
