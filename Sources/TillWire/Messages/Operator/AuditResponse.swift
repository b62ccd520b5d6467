import CTillMessages
import ProtobufCodec
package import TillModel

/// What operators did, the oldest first.
package struct AuditResponse: Hashable, Sendable {
    package var links: [AuditLink]

    package init(links: [AuditLink]) {
        self.links = links
    }
}

extension AuditResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AuditResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AuditResponse> {
        unsafe till__v1__audit_response__init
    }

    init(fields: Till__V1__AuditResponse) throws(DecodingFailure) {
        try unsafe self.init(
            links: AuditLink.list(fields.links, fields.n_links, "links")
        )
    }

    func fill(_ fields: inout Till__V1__AuditResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_links = links.count
        unsafe fields.links = scratch.messages(links)
    }
}
