import FoundationEssentials
import NIOConcurrencyHelpers
import TTRPC
import Testing
import TillClient
import TillModel
import TillWire

@Suite struct BackupTests {
    /// The answers of a daemon, and the bytes that the caller gets; nil for an error.
    struct Stream: CustomTestStringConvertible {
        var testDescription: String
        var parts: [BackupResponse]
        var code: RPCStatusCode?
        var received: [UInt8]?
    }

    private static let summary = BackupSummary(
        ledgerID: .version7(),
        date: Date(timeIntervalSince1970: 1_700_000_000),
        byteCount: 3,
        hasKeys: false
    )

    private static let streams = [
        Stream(
            testDescription: "whole, after a heartbeat",
            parts: [
                BackupResponse(data: []), BackupResponse(summary: summary, data: []), BackupResponse(data: [1, 2]),
                BackupResponse(data: [3]),
            ],
            received: [1, 2, 3]
        ),
        Stream(
            testDescription: "too short",
            parts: [BackupResponse(summary: summary, data: []), BackupResponse(data: [1, 2])]
        ),
        Stream(
            testDescription: "too long",
            parts: [BackupResponse(summary: summary, data: []), BackupResponse(data: [1, 2, 3, 4])]
        ),
        Stream(testDescription: "without a summary", parts: [BackupResponse(data: [1, 2, 3])]),
        Stream(
            testDescription: "ended by an error",
            parts: [BackupResponse(summary: summary, data: []), BackupResponse(data: [1, 2, 3])],
            code: .resourceExhausted
        ),
    ]

    @Test(arguments: streams)
    func onlyAWholeBackupReturns(_ stream: Stream) async throws {
        try await ScriptedDaemon.run { daemon in
            var methods = MethodTable()
            methods[OperatorMethod.service, OperatorMethod.backup.rawValue] = .serverStreaming {
                (_, _, writer) async throws(RPCError) in
                for part in stream.parts {
                    try await writer.write(part.wireBytes())
                }
                if let code = stream.code {
                    throw RPCError(code: code, message: "it ended")
                }
            }
            try await daemon.serving(methods) {
                let store = TillOperator(daemon.configuration)
                let bytes = NIOLockedValueBox<[UInt8]>([])
                do {
                    let summary = try await store.backUp(because: "A test.") { part in
                        bytes.withLockedValue { $0 += part.bytes }
                    }
                    #expect(summary == Self.summary)
                    #expect(bytes.withLockedValue { $0 } == stream.received)
                } catch let error as TillError {
                    #expect(stream.received == nil, "\(error)")
                    #expect(error.code == (stream.code == nil ? .internal : .resourceExhausted))
                }
                await store.close()
            }
        }
    }

    /// The caller is slower than the daemon, whose parts are more than the client buffers.
    @Test func aSlowCallerGetsEveryPart() async throws {
        try await ScriptedDaemon.run { daemon in
            let part = BackupResponse(data: [UInt8](repeating: 7, count: 1000))
            let count = 2000
            var summary = Self.summary
            summary.byteCount = UInt64(count * 1000)
            let first = BackupResponse(summary: summary, data: [])
            var methods = MethodTable()
            methods[OperatorMethod.service, OperatorMethod.backup.rawValue] = .serverStreaming {
                (_, _, writer) async throws(RPCError) in
                try await writer.write(first.wireBytes())
                for _ in 0..<count {
                    try await writer.write(part.wireBytes())
                }
            }
            try await daemon.serving(methods) {
                let store = TillOperator(daemon.configuration)
                let returned = try await store.backUp(because: "A test.") { _ in
                    for _ in 0..<20 {
                        await Task.yield()
                    }
                }
                #expect(returned == summary)
                await store.close()
            }
        }
    }
}
