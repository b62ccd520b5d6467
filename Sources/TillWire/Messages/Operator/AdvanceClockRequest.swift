import CTillMessages
import ProtobufCodec

/// Sets the store's clock ahead.
package struct AdvanceClockRequest: Hashable, Sendable {
    /// Whole milliseconds travel.
    package var by: Duration
    /// Why; at most ``WireProtocol/reasonMaximumBytes``.
    package var reason: String

    package init(by: Duration, reason: String) {
        self.by = by
        self.reason = reason
    }
}

extension AdvanceClockRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AdvanceClockRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AdvanceClockRequest> {
        unsafe till__v1__advance_clock_request__init
    }

    init(fields: Till__V1__AdvanceClockRequest) {
        unsafe self.init(by: .milliseconds(fields.by_ms), reason: String(field: fields.reason))
    }

    func fill(_ fields: inout Till__V1__AdvanceClockRequest, _ scratch: borrowing Scratch) {
        unsafe fields.by_ms = by.longFieldMilliseconds
        unsafe fields.reason = scratch.text(reason)
    }
}
