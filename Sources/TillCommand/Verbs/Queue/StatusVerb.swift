import ArgumentParser
import TillClient

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether the daemon serves, and who it takes you for.",
        discussion: """
            The exit status is 69 when the daemon is reached but would not store a payment now.

            Example: till status
            """
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withQueue(console, fallback: Till.application) { queue in
            let output = StatusOutput(
                socket: queue.configuration.socketPath,
                daemon: try await queue.status(),
                storefront: try await queue.storefront(),
                canMakePayments: try await queue.canMakePayments()
            )
            try console.print(output, asJSON: common.json)
            guard output.daemon.isServing else {
                throw CommandFailure(.unreachable, "The daemon takes no payments now; its log says why.")
            }
        }
    }
}
