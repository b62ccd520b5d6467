import ArgumentParser
import ProcessTesting
import TTRPC
import TillClient
import TillModel
import TillWire

/// Buys at a measured pace, and measures the latency of each answer.
struct Honest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Buy at a measured pace, and time the answers.")

    /// The time between an answer and the next payment.
    private static let pause = Duration.milliseconds(20)

    @Option(help: "Connect to this socket.")
    var socket: String

    @Option(help: "Buy for this many seconds.")
    var seconds = 60

    @Flag(help: "Time each purchase until it is charged.")
    var purchases = false

    func run() async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        if purchases {
            let queue = PaymentQueue(ClientConfiguration(application: AttackStore.application, socketPath: socket))
            await measure(until: end) {
                let transaction = try await queue.purchase(Payment(productID: AttackStore.product))
                guard transaction.state == .purchased else { throw AttackFailure("a purchase failed") }
            }
            return await queue.close()
        }
        // This is below the client library, which would retry refused requests.
        let client = try await TTRPCClient.connect(path: socket)
        let hello = HelloRequest(application: AttackStore.application, client: "till-attack")
        _ = try await call(client, .hello, hello)
        await measure(until: end) {
            let payment = Payment(productID: AttackStore.product)
            _ = try await call(client, .addPayment, AddPaymentRequest(payment: payment))
        }
        client.close()
    }

    private func measure(until end: ContinuousClock.Instant, _ buy: () async throws -> Void) async {
        var milliseconds: [Double] = []
        var refused = 0
        while ContinuousClock.now < end {
            let start = ContinuousClock.now
            do {
                try await buy()
                milliseconds.append((ContinuousClock.now - start) / .milliseconds(1))
            } catch {
                refused += 1
                print("refused:", error)
            }
            await Alarm.after(Self.pause)
        }
        milliseconds.sort()
        let quantiles = [500, 990, 1000].map { Figure.quantile($0, of: milliseconds) }
        print("honest", milliseconds.count, refused, quantiles[0], quantiles[1], quantiles[2])
    }

    private func call(
        _ client: TTRPCClient,
        _ method: PaymentQueueMethod,
        _ request: some WireMessage
    ) async throws(RPCError) -> [UInt8] {
        try await client.unary(PaymentQueueMethod.service, method.rawValue, request.wireBytes())
    }
}
