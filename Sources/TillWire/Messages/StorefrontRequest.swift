import CTillMessages
import ProtobufCodec

/// Asks where the store sells.
package struct StorefrontRequest: Hashable, Sendable {
    package init() {}
}

extension StorefrontRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension StorefrontRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__StorefrontRequest> {
        unsafe till__v1__storefront_request__init
    }

    init(fields: Till__V1__StorefrontRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__StorefrontRequest, _ scratch: borrowing Scratch) {}
}
