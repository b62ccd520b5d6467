import ArgumentParser
import TillClient

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say whether the daemon serves, and who it takes you for.",
        discussion: "The exit status is 69 when the daemon is reached but would not store a payment now."
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withQueue(console, fallback: Till.application) { queue in
            let line = StatusLine(
                socket: queue.configuration.socketPath,
                daemon: try await queue.status(),
                storefront: try await queue.storefront(),
                canMakePayments: try await queue.canMakePayments()
            )
            if common.json {
                try console.print(line, asJSON: true)
            } else {
                try line.fields.forEach { try console.print("\($0.name): \($0.value)".printable) }
            }
            guard line.daemon.isServing else {
                throw CommandFailure(.unreachable, "The daemon takes no payments now; its log says why.")
            }
        }
    }
}
