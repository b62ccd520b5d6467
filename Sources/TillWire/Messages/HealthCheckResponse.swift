import CTillMessages
import ProtobufCodec

/// How a service does.
package struct HealthCheckResponse: Hashable, Sendable {
    package var status: ServingStatus

    package init(status: ServingStatus) {
        self.status = status
    }
}

extension HealthCheckResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension HealthCheckResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Grpc__Health__V1__HealthCheckResponse> {
        unsafe grpc__health__v1__health_check_response__init
    }

    init(fields: Grpc__Health__V1__HealthCheckResponse) throws(DecodingFailure) {
        try unsafe self.init(status: ServingStatus(fields.status.rawValue, "status"))
    }

    func fill(_ fields: inout Grpc__Health__V1__HealthCheckResponse, _ scratch: borrowing Scratch) {
        unsafe fields.status = Grpc__Health__V1__HealthCheckResponse__ServingStatus(status.enumerator)
    }
}
