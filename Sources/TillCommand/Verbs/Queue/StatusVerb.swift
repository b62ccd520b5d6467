import ArgumentParser
import FoundationEssentials
import TillClient
import TillMetrics
import TillModel
import TillOutput

struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show daemon status and your identity.",
        discussion: """
            Operators also see figures of the store. The exit status is 69 if the daemon answers but cannot store payments \
            now.

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
                canMakePayments: try await queue.canMakePayments(),
                figures: try await figures(console)
            )
            try console.print(output, asJSON: common.json)
            guard output.daemon.isServing else {
                throw CommandFailure(.unreachable, "The daemon accepts no payments now; see its log.")
            }
        }
    }
}

extension StatusVerb {
    /// The figures of the store; nil for others than operators, and from a daemon that has none.
    private func figures(_ console: Console) async throws -> StoreFigures? {
        var samples: [MetricSample] = []
        try await withOperator(console) { store in
            do throws(TillError) {
                samples = try await store.metrics()
            } catch {
                // Others see the status alone.
                guard error.code == .permissionDenied || error.code == .unimplemented else {
                    throw error
                }
            }
        }
        return samples.isEmpty ? nil : StoreFigures(reading: MetricReading(samples: samples))
    }
}

/// The status of a daemon, and its socket.
struct StatusOutput: Output {
    let socket: String
    let daemon: DaemonStatus
    let storefront: Storefront
    let canMakePayments: Bool
    /// For operators.
    var figures: StoreFigures?

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
        ] + (figures?.lines ?? [])
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
            "figures": figures?.json,
        ]
    }
}
