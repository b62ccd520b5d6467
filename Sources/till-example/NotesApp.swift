import ArgumentParser
import Foundation
import TillClient

/// An app called Notes, reduced to its use of the payment queue.
///
/// It attaches its observer first, as every app should at start: unfinished purchases, including those of a run that
/// crashed, are delivered then. Only afterwards does it buy or restore.
@main
struct NotesApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-example",
        abstract: "Follow a queue, granting and finishing purchases."
    )

    @Option(help: "Act as the app with this bundle identifier.")
    var application = "org.example.notes"

    @Option(help: "Connect to this socket of the daemon.")
    var socket: String?

    @Option(help: ArgumentHelp("Buy these products one after the other.", valueName: "product[:quantity]"))
    var buy: [Order] = []

    @Flag(help: "Restore purchases after buying.")
    var restore = false

    @Option(help: "Restrict buying and restoring to this user of the app.")
    var username: String?

    @Option(help: "Keep grants in this file (default: in memory).")
    var grants: String?

    @Flag(help: "Leave transactions in the queue.")
    var noFinish = false

    @Flag(help: "Exit after buying and, without --no-finish, once the queue is empty.")
    var exitWhenIdle = false

    @Option(help: "Prefix each output line with this name.")
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
            // Runs until the queue is closed; throws only errors that cannot be retried.
            group.addTask { try await queue.deliver(to: observer) }
            group.addTask {
                try await shop(queue, observer, log)
                if exitWhenIdle {
                    await queue.close()
                }
            }
            // An error in one task cancels the other, which would otherwise wait indefinitely.
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
            // The observer receives the restored purchases and the result or error.
            _ = try? await queue.restoreCompletedTransactions(applicationUsername: username)
            await observer.wait { $0.restoreCount > count }
        }
        if !noFinish {
            await observer.wait { $0.unfinished.isEmpty }
        }
    }
}

/// A purchase to make: `PRODUCT` or `PRODUCT:QUANTITY`.
struct Order: ExpressibleByArgument {
    let product: String
    let quantity: Int

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let product = parts.first, !product.isEmpty else {
            return nil
        }
        guard let quantity = parts.count == 1 ? 1 : Int(parts[1]) else {
            return nil
        }
        self.product = String(product)
        self.quantity = quantity
    }
}

/// Prints lines without buffering.
struct Log: Sendable {
    /// The prefix of each line, to distinguish the output of two apps.
    let name: String?

    func callAsFunction(_ fields: String...) {
        let line = ([name].compactMap(\.self) + fields).joined(separator: "  ") + "\n"
        // Unlike print(_:), this is not buffered.
        try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
    }
}
