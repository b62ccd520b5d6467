import CTillMessages
import ProtobufCodec

/// Asks for the certificate that verifies all receipts.
package struct RootCertificateRequest: Hashable, Sendable {
    package init() {}
}

extension RootCertificateRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RootCertificateRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RootCertificateRequest> {
        unsafe till__v1__root_certificate_request__init
    }

    init(fields: Till__V1__RootCertificateRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__RootCertificateRequest, _ scratch: borrowing Scratch) {}
}
