import CTillMessages
import ProtobufCodec

/// The certificate that verifies all receipts.
package struct RootCertificateResponse: Hashable, Sendable {
    /// X.509, DER.
    package var certificate: [UInt8]

    package init(certificate: [UInt8]) {
        self.certificate = certificate
    }
}

extension RootCertificateResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RootCertificateResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RootCertificateResponse> {
        unsafe till__v1__root_certificate_response__init
    }

    init(fields: Till__V1__RootCertificateResponse) {
        unsafe self.init(
            certificate: [UInt8](field: fields.certificate)
        )
    }

    func fill(_ fields: inout Till__V1__RootCertificateResponse, _ scratch: borrowing Scratch) {
        unsafe fields.certificate = scratch.bytes(certificate)
    }
}
