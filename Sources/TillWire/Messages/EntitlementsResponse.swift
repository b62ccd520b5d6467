import CTillMessages
import ProtobufCodec
package import TillModel

/// A page of what the account owns.
package struct EntitlementsResponse: Hashable, Sendable {
    package var entitlements: [Entitlement]
    /// Nil after the last page.
    package var nextPageToken: UInt64?

    package init(entitlements: [Entitlement], nextPageToken: UInt64? = nil) {
        self.entitlements = entitlements
        self.nextPageToken = nextPageToken
    }
}

extension EntitlementsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension EntitlementsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__EntitlementsResponse> {
        unsafe till__v1__entitlements_response__init
    }

    init(fields: Till__V1__EntitlementsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            entitlements: Entitlement.list(fields.entitlements, fields.n_entitlements, "entitlements"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__EntitlementsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_entitlements = entitlements.count
        unsafe fields.entitlements = scratch.messages(entitlements)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}
