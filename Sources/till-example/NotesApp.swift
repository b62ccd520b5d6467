import ArgumentParser
import Foundation
import TillClient

/// An app called Notes, reduced to what it does with its payment queue.
///
/// It attaches its observer first, as every app should at its start: what was bought and not finished before, by this
/// run of the app or by one that was killed, is delivered then. Only after that does it buy or restore.
@main
struct NotesApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-example",
        abstract: "An example of an app that sells: it follows its queue, grants what was bought, and finishes it."
    )

    @Option(help: "The app's bundle identifier.")
    var application = "org.example.notes"

    @Option(help: "The daemon's socket, when it is not the default one.")
    var socket: String?

    @Option(help: ArgumentHelp("Buys these one after the other.", valueName: "product[:quantity]"))
    var buy: [Order] = []

    @Flag(help: "Restores purchases, after the orders.")
    var restore = false

    @Option(help: "Restricts orders and restore to this user of the app.")
    var username: String?

    @Option(help: "Where the app keeps what was granted; without it, in memory only.")
    var grants: String?

    @Flag(help: "Leaves transactions in the queue.")
    var noFinish = false

    @Flag(help: "Ends when the orders are done and, but for --no-finish, the queue is empty.")
    var exitWhenIdle = false

    @Option(help: "Begins each line of the output.")
    var name: String?

    func run() async throws {
        var configuration = ClientConfiguration(application: application)
        configuration.socketPath = socket ?? configuration.socketPath
        let queue = PaymentQueue(configuration)
        let log = Log(name: name)
        let observer = PurchaseObserver(
            grants: try Grants(path: grants, log: log),
            finishesTransactions: !noFinish,
            log: log
        )
        try await withThrowingTaskGroup { group in
            // Goes on until the queue is closed; throws only what no repetition helps against.
            group.addTask { try await queue.deliver(to: observer) }
            group.addTask {
                try await shop(queue, observer, log)
                if exitWhenIdle {
                    await queue.close()
                }
            }
            // What keeps the one from going on ends the other, which would wait for ever.
            while try await group.next() != nil {}
        }
    }

    private func shop(_ queue: PaymentQueue, _ observer: PurchaseObserver, _ log: Log) async throws {
        await observer.wait { $0.isInitialDeliveryEnded }
        for order in buy {
            let payment = Payment(productID: order.product, quantity: order.quantity, applicationUsername: username)
            do {
                try await queue.add(payment)
            } catch {
                throw TillError(error.code, "\(order.product) cannot be bought: \(error.message)", cause: error)
            }
            await observer.wait { $0.ended.contains(payment.id) }
        }
        if restore {
            let count = await observer.progress.restoreCount
            // What it restores and how it ends, or fails, is told to the observer.
            _ = try? await queue.restoreCompletedTransactions(applicationUsername: username)
            await observer.wait { $0.restoreCount > count }
        }
        if !noFinish {
            await observer.wait { $0.unfinished.isEmpty }
        }
    }
}
