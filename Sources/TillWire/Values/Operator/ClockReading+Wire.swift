import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

/// A reading travels as a `ClockResponse`.
extension ClockReading: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ClockReading: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ClockResponse> {
        unsafe till__v1__clock_response__init
    }

    init(fields: Till__V1__ClockResponse) {
        unsafe self.init(
            now: Date(millisecondsSince1970: fields.now_ms),
            offset: .milliseconds(fields.offset_ms),
            isAdjustable: Bool(field: fields.is_adjustable)
        )
    }

    func fill(_ fields: inout Till__V1__ClockResponse, _ scratch: borrowing Scratch) {
        unsafe fields.now_ms = now.millisecondsSince1970
        unsafe fields.offset_ms = offset.longFieldMilliseconds
        unsafe fields.is_adjustable = isAdjustable.field
    }
}
