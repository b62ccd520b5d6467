import CTillMessages
import ProtobufCodec

/// Asks for a page of the requests that the caller may answer.
package struct ListAuthorizationRequestsRequest: Hashable, Sendable {
    /// The `nextPageToken` of the page before; nil for the first.
    package var pageToken: UInt64?

    package init(pageToken: UInt64? = nil) {
        self.pageToken = pageToken
    }
}

extension ListAuthorizationRequestsRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ListAuthorizationRequestsRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ListAuthorizationRequestsRequest> {
        unsafe till__v1__list_authorization_requests_request__init
    }

    init(fields: Till__V1__ListAuthorizationRequestsRequest) {
        unsafe self.init(
            pageToken: fields.page_token == 0 ? nil : fields.page_token
        )
    }

    func fill(_ fields: inout Till__V1__ListAuthorizationRequestsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.page_token = pageToken ?? 0
    }
}
