import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension HistoryEntry: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension HistoryEntry: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__HistoryEntry> {
        unsafe till__v1__history_entry__init
    }

    init(fields: Till__V1__HistoryEntry) throws(DecodingFailure) {
        try unsafe self.init(
            date: Date(millisecondsSince1970: fields.date_ms),
            kind: Kind(fields.kind.rawValue, "kind"),
            actor: String(field: fields.actor),
            detail: String(field: fields.detail)
        )
    }

    func fill(_ fields: inout Till__V1__HistoryEntry, _ scratch: borrowing Scratch) {
        unsafe fields.date_ms = date.millisecondsSince1970
        unsafe fields.kind = Till__V1__HistoryEntry__Kind(kind.enumerator)
        unsafe fields.actor = scratch.text(actor)
        unsafe fields.detail = scratch.text(detail)
    }
}
