// Generated from Proto/grpc/health/v1/health.proto by `make proto`. Change that file instead.

import CTillMessages
import FoundationEssentials
import ProtobufCodec
import TillModel

/// The methods of `grpc.health.v1.Health`.
package enum HealthMethod: String, ServiceMethod {
    /// Answers for the service named, or for the whole daemon when the name is empty.
    case check = "Check"

    package static let service = "grpc.health.v1.Health"
}

extension HealthCheckRequest: Call {
    package typealias Response = HealthCheckResponse

    package static let path = MethodPath(HealthMethod.check)
}

/// The values of `HealthCheckResponse.ServingStatus`.
package enum ServingStatus: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case serving = 1
    case notServing = 2
    case serviceUnknown = 3
}

/// `grpc.health.v1.HealthCheckRequest`: the request of `Check`.
package struct HealthCheckRequest: Hashable, Sendable {
    package var service: String

    package init(
        service: String = ""
    ) {
        self.service = service
    }
}

extension HealthCheckRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Grpc__Health__V1__HealthCheckRequest> {
        unsafe grpc__health__v1__health_check_request__init
    }

    init(fields: Grpc__Health__V1__HealthCheckRequest) {
        unsafe self.init(
            service: String(field: fields.service)
        )
    }

    func fill(_ fields: inout Grpc__Health__V1__HealthCheckRequest, _ scratch: borrowing Scratch) {
        unsafe fields.service = scratch.text(service)
    }
}

/// `grpc.health.v1.HealthCheckResponse`: the answer of `Check`.
package struct HealthCheckResponse: Hashable, Sendable {
    package var status: ServingStatus

    package init(
        status: ServingStatus
    ) {
        self.status = status
    }
}

extension HealthCheckResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Grpc__Health__V1__HealthCheckResponse> {
        unsafe grpc__health__v1__health_check_response__init
    }

    init(fields: Grpc__Health__V1__HealthCheckResponse) throws(DecodingFailure) {
        try unsafe self.init(
            status: ServingStatus(fields.status.rawValue, "status")
        )
    }

    func fill(_ fields: inout Grpc__Health__V1__HealthCheckResponse, _ scratch: borrowing Scratch) {
        unsafe fields.status.rawValue = status.enumerator
    }
}
