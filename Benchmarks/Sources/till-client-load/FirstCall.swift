import ArgumentParser
import Gauges
import TTRPC
import TillClient

struct FirstCall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Call a daemon once it answers, and print the time."
    )
    private static let look = Duration.microseconds(500)
    private static let patience = Duration.seconds(60)

    @OptionGroup var daemon: Daemon

    @Flag(help: "Then also add a payment.")
    var adds = false

    func run() async throws {
        try await waitForSocket()
        let queue = daemon.queue()
        _ = try await queue.status()
        var times = ["answered": Clock.now()]
        if adds {
            try await queue.add(Payment(productID: Daemon.product))
            times["added"] = Clock.now()
        }
        try Report.printOut(times)
    }

    /// Polls more often than a client does by itself.
    private func waitForSocket() async throws {
        let deadline = Moment.now + Self.patience
        while true {
            do {
                return try await TTRPCClient.connect(path: daemon.address).close()
            } catch  where Moment.now < deadline {
                try await Task.sleep(for: Self.look)
            }
        }
    }
}
