import CTillMessages
import ProtobufCodec
package import TillModel

extension ProductContent: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ProductContent: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ProductContent> {
        unsafe till__v1__product_content__init
    }

    init(fields: Till__V1__ProductContent) {
        unsafe self.init(
            identifier: String(field: fields.identifier),
            version: String(field: fields.version),
            length: fields.length
        )
    }

    func fill(_ fields: inout Till__V1__ProductContent, _ scratch: borrowing Scratch) {
        unsafe fields.identifier = scratch.text(identifier)
        unsafe fields.version = scratch.text(version)
        unsafe fields.length = length
    }
}
