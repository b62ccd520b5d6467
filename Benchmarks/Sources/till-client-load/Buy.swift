import ArgumentParser
import TillClient

struct Buy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Buy something, for its rows in the ledger.")

    /// How far to go.
    enum End: String, ExpressibleByArgument, CaseIterable {
        case added
        case purchased
        case finished
    }

    @OptionGroup var daemon: Daemon

    @Option(help: ArgumentHelp("What to buy.", valueName: "id"))
    var product = Daemon.product

    @Option(help: "How far to go.")
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
            throw LoadError("The payment failed: \(transaction.error?.message ?? "for no reason").")
        }
        if end == .finished {
            try await queue.finish(transaction)
        }
    }
}
