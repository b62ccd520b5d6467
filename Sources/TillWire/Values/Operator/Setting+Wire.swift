import CTillMessages
import ProtobufCodec
package import TillModel

extension Setting: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Setting: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__Setting> {
        unsafe till__v1__setting__init
    }

    init(fields: Till__V1__Setting) {
        unsafe self.init(
            name: String(field: fields.name),
            value: String(field: fields.value),
            domain: String(field: fields.domain),
            isChanged: Bool(field: fields.is_changed)
        )
    }

    func fill(_ fields: inout Till__V1__Setting, _ scratch: borrowing Scratch) {
        unsafe fields.name = scratch.text(name)
        unsafe fields.value = scratch.text(value)
        unsafe fields.domain = scratch.text(domain)
        unsafe fields.is_changed = isChanged.field
    }
}
