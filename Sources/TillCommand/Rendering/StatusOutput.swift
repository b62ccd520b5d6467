import FoundationEssentials
import TillClient

/// What a daemon says of itself, and where it was found.
struct StatusOutput: Output {
    let socket: String
    let daemon: DaemonStatus
    let storefront: Storefront
    let canMakePayments: Bool

    var lines: [String] {
        fields.map { "\($0.name): \($0.value)" }
    }

    private var fields: [(name: String, value: String)] {
        [
            ("socket", socket),
            ("server", daemon.server),
            ("protocol", "\(daemon.protocolVersion)"),
            ("account", daemon.account),
            ("ledger", daemon.ledgerID.text),
            ("storefront", "\(storefront.countryCode) (\(storefront.identifier))"),
            ("can make payments", canMakePayments ? "yes" : "no"),
            ("serving", daemon.isServing ? "yes" : "no"),
        ]
    }

    private enum Key: String, CodingKey {
        case socket, server, account, storefront
        case protocolVersion = "protocol_version"
        case ledgerID = "ledger_id"
        case storefrontIdentifier = "storefront_identifier"
        case canMakePayments = "can_make_payments"
        case isServing = "is_serving"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(socket, forKey: .socket)
        try container.encode(daemon.server, forKey: .server)
        try container.encode(daemon.protocolVersion, forKey: .protocolVersion)
        try container.encode(daemon.account, forKey: .account)
        try container.encode(daemon.ledgerID.text, forKey: .ledgerID)
        try container.encode(storefront.countryCode, forKey: .storefront)
        try container.encode(storefront.identifier, forKey: .storefrontIdentifier)
        try container.encode(canMakePayments, forKey: .canMakePayments)
        try container.encode(daemon.isServing, forKey: .isServing)
    }
}
