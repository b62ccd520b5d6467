import CTillMessages
import ProtobufCodec
package import TillModel

/// A page travels as a `ReconcileResponse`.
extension ReconciliationPage: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ReconciliationPage: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ReconcileResponse> {
        unsafe till__v1__reconcile_response__init
    }

    init(fields: Till__V1__ReconcileResponse) throws(DecodingFailure) {
        try unsafe self.init(
            rows: ReconciliationRow.list(fields.rows, fields.n_rows, "rows"),
            next: fields.next_page_token == 0 ? nil : fields.next_page_token,
            agrees: Bool(field: fields.agrees),
            compared: Int(fields.compared)
        )
    }

    func fill(_ fields: inout Till__V1__ReconcileResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_rows = rows.count
        unsafe fields.rows = scratch.messages(rows)
        unsafe fields.next_page_token = next ?? 0
        unsafe fields.agrees = agrees.field
        unsafe fields.compared = UInt32(clamping: compared)
    }
}
