import ArgumentParser
import TillClient

struct Buy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Buy a product to create its rows in the ledger.")

    /// The step at which the purchase stops.
    enum End: String, ExpressibleByArgument, CaseIterable {
        case added
        case purchased
        case finished
    }

    @OptionGroup var daemon: Daemon

    @Option(help: ArgumentHelp("Buy this product.", valueName: "id"))
    var product = Daemon.product

    @Option(help: "Stop after this step.")
    var end = End.finished

    func run() async throws {
        let queue = daemon.queue()
        let payment = Payment(productID: product)
        guard end != .added else {
            try await queue.add(payment)
            return
        }
        let transaction = try await queue.purchase(payment)
        guard transaction.state == .purchased else {
            throw LoadError("The payment failed: \(transaction.error?.message ?? "no error was given").")
        }
        if end == .finished {
            try await queue.finish(transaction)
        }
    }
}
