import FoundationEssentials
import NIOConcurrencyHelpers
import TTRPC
import TillClient
import TillModel
import TillTesting
import TillWire
import Testing

/// The charges and refunds that an operator exports.
@Suite struct ExportStreamTests {
    private static func entry(_ number: Int64) -> LedgerEntry {
        LedgerEntry(
            date: Date(timeIntervalSince1970: 0),
            kind: .charge,
            paymentID: UUID(),
            application: "a",
            account: "uid:0",
            productID: "p",
            quantity: 1,
            amount: number,
            currency: "USD"
        )
    }

    /// Exports from a daemon that answers with `parts`, and then with an error if there is one.
    private static func amounts(
        _ parts: [ExportResponse],
        failingWith code: RPCStatusCode? = nil,
        pause: @escaping @Sendable () async -> Void = {}
    ) async throws -> (amounts: [Int64], error: TillError?) {
        let amounts = NIOLockedValueBox<[Int64]>([])
        let failure = NIOLockedValueBox<TillError?>(nil)
        try await ScriptedDaemon.run { daemon in
            var methods = MethodTable()
            methods[OperatorMethod.service, OperatorMethod.export.rawValue] = .serverStreaming {
                (_, _, writer) async throws(RPCError) in
                for part in parts {
                    try await writer.write(part.wireBytes())
                }
                if let code {
                    throw RPCError(code: code, message: "it ended")
                }
            }
            try await daemon.serving(methods) {
                let store = TillOperator(daemon.configuration)
                do {
                    try await store.exportEntries { entries in
                        await pause()
                        amounts.withLockedValue { $0 += entries.map(\.amount) }
                    }
                } catch let error as TillError {
                    failure.withLockedValue { $0 = error }
                }
                await store.close()
            }
        }
        return (amounts.withLockedValue { $0 }, failure.withLockedValue { $0 })
    }

    @Test func emptyMessagesAreSignsOfLife() async throws {
        let parts = [[1, 2], [], [3]].map { numbers in ExportResponse(entries: numbers.map(Self.entry)) }
        let (amounts, error) = try await Self.amounts(parts)
        #expect(amounts == [1, 2, 3] && error == nil)
    }

    /// What was received before is not the whole list.
    @Test func aListThatEndsEarlyIsAnError() async throws {
        let (amounts, error) = try await Self.amounts(
            [ExportResponse(entries: [Self.entry(1)])],
            failingWith: .internalError
        )
        #expect(amounts == [1] && error?.code == .internal)
    }

    /// Messages of a few bytes arrive by the thousand in one read of the connection.
    @Test func aSlowCallerGetsEveryMessage() async throws {
        let parts = (Int64(1)...20_000).map { number in
            ExportResponse(entries: number % 1000 == 0 ? [Self.entry(number)] : [])
        }
        let (amounts, error) = try await Self.amounts(parts) {
            for _ in 0..<20 {
                await Task.yield()
            }
        }
        #expect(error == nil)
        #expect(amounts == (1...20).map { $0 * 1000 })
    }
}
