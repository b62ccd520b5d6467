import ArgumentParser
import TillClient

/// The daemon that a command uses.
struct Daemon: ParsableArguments {
    @Option(help: ArgumentHelp("Its socket.", valueName: "socket"))
    var address: String

    static let application = "org.example.notes"
    /// A consumable.
    static let product = "org.example.notes.coins10"

    /// - Parameter application: Whose queue it is.
    func queue(of application: String = Daemon.application) -> PaymentQueue {
        PaymentQueue(ClientConfiguration(application: application, socketPath: address))
    }
}
