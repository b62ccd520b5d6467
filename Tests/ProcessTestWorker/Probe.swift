import ArgumentParser
import Foundation
import TTRPC
import TillModel
import TillWire

/// Calls every method once with somebody else's identities, and prints one line for each: the method and the code it
/// was answered with. What was received goes into a file, byte by byte.
struct Probe: AsyncParsableCommand {
    @Option var socket: String
    @Option var application: String
    /// A transaction, and so a payment, of somebody else.
    @Option var foreign: String
    @Option var received: String

    func run() async throws {
        guard let foreign = UUID(uuidString: foreign) else {
            throw ValidationError("\(foreign) is no UUID.")
        }
        let client = try await TTRPCClient.connect(path: socket)
        let received = received
        let probe = ProbeCalls(client: client, foreign: foreign)
        let bytes = try await probe.run(application: application)
        guard FileManager.default.createFile(atPath: received, contents: Data(bytes)) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }
}

/// The calls of a probe on its one connection.
struct ProbeCalls {
    let client: TTRPCClient
    let foreign: UUID

    /// - Returns: All bytes that came back.
    func run(application: String) async throws -> [UInt8] {
        let hello = HelloRequest(
            protocolMinimum: WireProtocol.version,
            protocolMaximum: WireProtocol.version,
            application: application,
            capabilities: [],
            client: "till-test-worker"
        )
        // The same identity as the foreign payment, with a content of its own.
        let payment = Payment(id: foreign, productID: "org.example.other", quantity: 3)
        var bytes = await queue(.hello, hello)
        bytes += await queue(.canMakePayments, CanMakePaymentsRequest())
        bytes += await queue(.addPayment, AddPaymentRequest(payment: payment))
        bytes += await queue(.finishTransaction, FinishTransactionRequest(transactionID: foreign))
        bytes += await queue(.listTransactions, ListTransactionsRequest(includesFinished: true))
        let restore = RestoreCompletedTransactionsRequest(restoreID: .version7(), applicationUsername: nil)
        let restored = await queue(.restoreCompletedTransactions, restore)
        bytes += restored
        bytes += await observe(1, after: nil)
        if let status = try? RestoreCompletedTransactionsResponse(wire: restored) {
            bytes += await observe(2, after: status.revision)
        }
        bytes += await queue(.acknowledge, AcknowledgeRequest(observerID: 1, revision: 1))
        bytes += await queue(.cancel, CancelRequest(callID: "none"))
        let products = ProductsRequest(productIDs: [], pageToken: nil, locale: nil)
        bytes += await call(ProductsMethod.service, ProductsMethod.products.rawValue, products.wireBytes())
        let storefront = StorefrontRequest().wireBytes()
        bytes += await call(ProductsMethod.service, ProductsMethod.storefront.rawValue, storefront)
        return bytes
    }

    private func queue(_ method: PaymentQueueMethod, _ request: some WireMessage) async -> [UInt8] {
        await call(PaymentQueueMethod.service, method.rawValue, request.wireBytes())
    }

    private func call(_ service: String, _ method: String, _ request: [UInt8]) async -> [UInt8] {
        do throws(RPCError) {
            let answer = try await client.unary(service, method, request)
            print(method, "OK")
            return answer
        } catch {
            print(method, error.code)
            return Array(error.message.utf8)
        }
    }

    /// Reads an observer's stream up to the end of its initial delivery, or to the end of a restore.
    private func observe(_ observer: UInt32, after revision: UInt64?) async -> [UInt8] {
        let method = PaymentQueueMethod.observe.rawValue
        let request = ObserveRequest(observerID: observer, after: revision)
        var messages = client.serverStreaming(PaymentQueueMethod.service, method, request.wireBytes())
            .makeAsyncIterator()
        var bytes: [UInt8] = []
        do {
            while let message = try await messages.next() {
                bytes += message
                if Self.isEnd(try EventBatch(wire: message).events) {
                    break
                }
            }
            print(method, "OK")
        } catch {
            let error = error as? RPCError
            print(method, error.map { "\($0.code)" } ?? "UNREADABLE")
            bytes += Array((error?.message ?? "").utf8)
        }
        return bytes
    }

    private static func isEnd(_ events: [QueueEvent]) -> Bool {
        for case .restoreFinished(_, let count) in events {
            print("Restored", count)
            return true
        }
        return events.contains(.initialDeliveryEnded)
    }
}
