import ArgumentParser
import Dispatch
import StoreKit

struct StoreKitLives: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storekit-lives",
        abstract: "Buy and finish payments sequentially with the StoreKit API."
    )

    @OptionGroup var daemon: Daemon
    @OptionGroup var load: LoadOptions

    func run() throws {
        load.limitTime()
        let callbacks = DispatchQueue(label: "till-client-load.callbacks")
        SKPaymentQueue.deliveryQueue = callbacks
        SKPaymentQueue.connect(socketPath: daemon.address, application: Daemon.application)
        let buyer = StoreKitBuyer(load)
        SKPaymentQueue.default().add(buyer)
        callbacks.async { buyer.buy() }
        try load.report(buyer.waitForEnd())
    }
}
