import CTillMessages
import ProtobufCodec

/// The first call of a connection: who calls, and which protocol versions it speaks.
package struct HelloRequest: Hashable, Sendable {
    package var protocolMinimum: UInt32
    package var protocolMaximum: UInt32
    /// The application's bundle identifier.
    package var application: String
    /// Names of optional abilities; unknown ones are ignored.
    package var capabilities: [String]
    /// The client's name and version, for logs.
    package var client: String

    package init(
        protocolMinimum: UInt32 = WireProtocol.version,
        protocolMaximum: UInt32 = WireProtocol.version,
        application: String,
        capabilities: [String] = [],
        client: String
    ) {
        self.protocolMinimum = protocolMinimum
        self.protocolMaximum = protocolMaximum
        self.application = application
        self.capabilities = capabilities
        self.client = client
    }
}

extension HelloRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension HelloRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__HelloRequest> {
        unsafe till__v1__hello_request__init
    }

    init(fields: Till__V1__HelloRequest) {
        unsafe self.init(
            protocolMinimum: fields.protocol_minimum,
            protocolMaximum: fields.protocol_maximum,
            application: String(field: fields.application),
            capabilities: [String](fields.capabilities, fields.n_capabilities),
            client: String(field: fields.client)
        )
    }

    func fill(_ fields: inout Till__V1__HelloRequest, _ scratch: borrowing Scratch) {
        unsafe fields.protocol_minimum = protocolMinimum
        unsafe fields.protocol_maximum = protocolMaximum
        unsafe fields.application = scratch.text(application)
        unsafe fields.n_capabilities = capabilities.count
        unsafe fields.capabilities = scratch.texts(capabilities)
        unsafe fields.client = scratch.text(client)
    }
}
