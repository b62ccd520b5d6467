import ArgumentParser
import TillClient

struct WatchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow the queue, callback by callback, until Ctrl-C.",
        discussion: """
            Begins with everything unfinished. Each line begins with the name of StoreKit's callback. A lost connection \
            is told on the standard error; the daemon is then looked for until it is back, and nothing is missed.

            Example: till watch --json
            """
    )

    @OptionGroup var common: CommonOptions

    @Flag(help: "Of a subscription's unfinished renewals, show the newest only, with the number of the others.")
    var collapseRenewals = false

    func run(_ console: Console) async throws {
        try await withQueue(console, collapsesRenewals: collapseRenewals) { queue in
            _ = try await console.untilInterrupted { try await follow(queue, console) }
        }
    }

    private func follow(_ queue: PaymentQueue, _ console: Console) async throws {
        // A daemon that was never there is an error; one that goes away is waited for.
        _ = try await queue.status()
        var isLost = false
        for try await change in queue.watchedChanges {
            switch change {
            case .connection(.disconnected):
                console.notice("The connection is lost; waiting for the daemon at \(queue.configuration.socketPath).")
                isLost = true
            case .connection(.connected) where isLost:
                console.notice("The connection is back.")
                isLost = false
            default:
                try CallbackLine.lines(change).forEach { try console.print($0, asJSON: common.json) }
            }
        }
    }
}
