// Generated from Proto/till/v1/receipts.proto by `make proto`. Change that file instead.

import CTillMessages
import FoundationEssentials
import ProtobufCodec
import TillModel

/// Receipts that the store signs: JWS in the App Store's format. A transaction carries its own receipt.
package enum ReceiptsMethod: String, ServiceMethod {
    /// The application's receipt, signed for this call: all purchases of the account, in parts of at most 128 KiB.
    case applicationReceipt = "ApplicationReceipt"
    /// The certificate that verifies all receipts of this daemon.
    case rootCertificate = "RootCertificate"

    package static let service = "till.v1.Receipts"
}

extension ApplicationReceiptRequest: StreamingCall {
    package typealias Element = ReceiptPart

    package static let path = MethodPath(ReceiptsMethod.applicationReceipt)
}

extension RootCertificateRequest: Call {
    package typealias Response = RootCertificateResponse

    package static let path = MethodPath(ReceiptsMethod.rootCertificate)
}

/// `till.v1.ApplicationReceiptRequest`: the request of `ApplicationReceipt`.
package struct ApplicationReceiptRequest: Hashable, Sendable {
    package init() {}
}

extension ApplicationReceiptRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ApplicationReceiptRequest> {
        unsafe till__v1__application_receipt_request__init
    }

    init(fields: Till__V1__ApplicationReceiptRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__ApplicationReceiptRequest, _ scratch: borrowing Scratch) {}
}

/// The parts in their order make up the document.
package struct ReceiptPart: Hashable, Sendable {
    package var data: [UInt8]

    package init(
        data: [UInt8]
    ) {
        self.data = data
    }
}

extension ReceiptPart: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ReceiptPart> {
        unsafe till__v1__receipt_part__init
    }

    init(fields: Till__V1__ReceiptPart) {
        unsafe self.init(
            data: [UInt8](field: fields.data)
        )
    }

    func fill(_ fields: inout Till__V1__ReceiptPart, _ scratch: borrowing Scratch) {
        unsafe fields.data = scratch.bytes(data)
    }
}

/// `till.v1.RootCertificateRequest`: the request of `RootCertificate`.
package struct RootCertificateRequest: Hashable, Sendable {
    package init() {}
}

extension RootCertificateRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__RootCertificateRequest> {
        unsafe till__v1__root_certificate_request__init
    }

    init(fields: Till__V1__RootCertificateRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__RootCertificateRequest, _ scratch: borrowing Scratch) {}
}

/// `till.v1.RootCertificateResponse`: the answer of `RootCertificate`.
package struct RootCertificateResponse: Hashable, Sendable {
    /// X.509, DER.
    package var certificate: [UInt8]

    package init(
        certificate: [UInt8]
    ) {
        self.certificate = certificate
    }
}

extension RootCertificateResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

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
