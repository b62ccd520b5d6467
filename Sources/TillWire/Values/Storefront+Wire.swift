import CTillMessages
import ProtobufCodec
package import TillModel

/// A storefront travels as a `StorefrontResponse`.
extension Storefront: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Storefront: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__StorefrontResponse> {
        unsafe till__v1__storefront_response__init
    }

    init(fields: Till__V1__StorefrontResponse) {
        unsafe self.init(
            countryCode: String(field: fields.country_code),
            identifier: String(field: fields.identifier)
        )
    }

    func fill(_ fields: inout Till__V1__StorefrontResponse, _ scratch: borrowing Scratch) {
        unsafe fields.country_code = scratch.text(countryCode)
        unsafe fields.identifier = scratch.text(identifier)
    }
}
