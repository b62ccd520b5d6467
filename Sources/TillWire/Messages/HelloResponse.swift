import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// The daemon's answer: what both will speak, and whose queue this is.
package struct HelloResponse: Hashable, Sendable {
    package var protocolVersion: UInt32
    package var capabilities: [String]
    /// The daemon's name and version.
    package var server: String
    /// Whose queue this is, for example `uid:1000`.
    package var account: String
    /// A cursor is good only for the ledger that gave it.
    package var ledgerID: UUID
    /// Without a batch for this long, a stream is dead. Whole milliseconds travel.
    package var heartbeat: Duration

    package init(
        protocolVersion: UInt32 = WireProtocol.version,
        capabilities: [String] = [],
        server: String,
        account: String,
        ledgerID: UUID,
        heartbeat: Duration
    ) {
        self.protocolVersion = protocolVersion
        self.capabilities = capabilities
        self.server = server
        self.account = account
        self.ledgerID = ledgerID
        self.heartbeat = heartbeat
    }
}

extension HelloResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension HelloResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__HelloResponse> {
        unsafe till__v1__hello_response__init
    }

    init(fields: Till__V1__HelloResponse) throws(DecodingFailure) {
        try unsafe self.init(
            protocolVersion: fields.protocol,
            capabilities: [String](fields.capabilities, fields.n_capabilities),
            server: String(field: fields.server),
            account: String(field: fields.account),
            ledgerID: UUID(fields.ledger_id, "ledger_id"),
            heartbeat: .milliseconds(fields.heartbeat_ms)
        )
    }

    func fill(_ fields: inout Till__V1__HelloResponse, _ scratch: borrowing Scratch) {
        unsafe fields.protocol = protocolVersion
        unsafe fields.n_capabilities = capabilities.count
        unsafe fields.capabilities = scratch.texts(capabilities)
        unsafe fields.server = scratch.text(server)
        unsafe fields.account = scratch.text(account)
        unsafe fields.ledger_id = scratch.bytes(ledgerID.bytes)
        unsafe fields.heartbeat_ms = heartbeat.fieldMilliseconds
    }
}
