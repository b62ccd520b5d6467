import ArgumentParser
import TillClient

/// The options that select the daemon.
struct Daemon: ParsableArguments {
    @Option(help: ArgumentHelp("Connect to this socket.", valueName: "socket"))
    var address: String

    static let application = "org.example.notes"
    /// A consumable.
    static let product = "org.example.notes.coins10"

    /// - Parameter application: The application whose queue this returns.
    func queue(of application: String = Daemon.application) -> PaymentQueue {
        PaymentQueue(ClientConfiguration(application: application, socketPath: address))
    }
}
