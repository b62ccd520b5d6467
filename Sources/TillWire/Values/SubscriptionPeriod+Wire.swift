import CTillMessages
import ProtobufCodec
package import TillModel

extension SubscriptionPeriod: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SubscriptionPeriod: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SubscriptionPeriod> {
        unsafe till__v1__subscription_period__init
    }

    init(fields: Till__V1__SubscriptionPeriod) throws(DecodingFailure) {
        try unsafe self.init(unit: Unit(fields.unit.rawValue, "unit"), value: Int(fields.value))
    }

    func fill(_ fields: inout Till__V1__SubscriptionPeriod, _ scratch: borrowing Scratch) {
        unsafe fields.unit = Till__V1__SubscriptionPeriod__Unit(unit.enumerator)
        unsafe fields.value = UInt32(clamping: value)
    }
}
