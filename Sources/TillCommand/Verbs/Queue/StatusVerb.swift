import ArgumentParser
import FoundationEssentials
import TillClient
import TillOutput

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show daemon status and your identity.",
        discussion: """
            The exit status is 69 if the daemon answers but cannot store payments now.

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
                throw CommandFailure(.unreachable, "The daemon accepts no payments now; see its log.")
            }
        }
    }
}

/// The status of a daemon, and its socket.
struct StatusOutput: Output {
    let socket: String
    let daemon: DaemonStatus
    let storefront: Storefront
    let canMakePayments: Bool

    var lines: [String] {
        [
            "socket: \(socket)",
            "server: \(daemon.server)",
            "protocol: \(daemon.protocolVersion)",
            "account: \(daemon.account)",
            "ledger: \(daemon.ledgerID.text)",
            "storefront: \(storefront.countryCode) (\(storefront.identifier))",
            "can make payments: \(canMakePayments ? "yes" : "no")",
            "serving: \(daemon.isServing ? "yes" : "no")",
        ]
    }

    var json: JSONObject {
        [
            "socket": socket,
            "server": daemon.server,
            "protocol_version": daemon.protocolVersion,
            "account": daemon.account,
            "ledger_id": daemon.ledgerID,
            "storefront": storefront.countryCode,
            "storefront_identifier": storefront.identifier,
            "can_make_payments": canMakePayments,
            "is_serving": daemon.isServing,
        ]
    }
}
