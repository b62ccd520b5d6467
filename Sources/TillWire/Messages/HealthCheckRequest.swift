import CTillMessages
import ProtobufCodec

/// Asks how a service does.
package struct HealthCheckRequest: Hashable, Sendable {
    /// Empty for the whole daemon.
    package var service: String

    package init(service: String = "") {
        self.service = service
    }
}

extension HealthCheckRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension HealthCheckRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Grpc__Health__V1__HealthCheckRequest> {
        unsafe grpc__health__v1__health_check_request__init
    }

    init(fields: Grpc__Health__V1__HealthCheckRequest) {
        unsafe self.init(service: String(field: fields.service))
    }

    func fill(_ fields: inout Grpc__Health__V1__HealthCheckRequest, _ scratch: borrowing Scratch) {
        unsafe fields.service = scratch.text(service)
    }
}
