import CTillMessages
import ProtobufCodec

/// Asks for a page of the ledger's charges held against the provider's.
package struct ReconcileRequest: Hashable, Sendable {
    /// The `nextPageToken` of the page before; nil for the first.
    package var pageToken: UInt64?

    package init(pageToken: UInt64? = nil) {
        self.pageToken = pageToken
    }
}

extension ReconcileRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ReconcileRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ReconcileRequest> {
        unsafe till__v1__reconcile_request__init
    }

    init(fields: Till__V1__ReconcileRequest) {
        unsafe self.init(
            pageToken: fields.page_token == 0 ? nil : fields.page_token
        )
    }

    func fill(_ fields: inout Till__V1__ReconcileRequest, _ scratch: borrowing Scratch) {
        unsafe fields.page_token = pageToken ?? 0
    }
}
