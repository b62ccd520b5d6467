import CTillMessages
import ProtobufCodec
package import TillModel

/// A page of the requests that the caller may answer.
package struct ListAuthorizationRequestsResponse: Hashable, Sendable {
    package var requests: [AuthorizationRequest]
    /// Nil after the last page.
    package var nextPageToken: UInt64?

    package init(requests: [AuthorizationRequest], nextPageToken: UInt64? = nil) {
        self.requests = requests
        self.nextPageToken = nextPageToken
    }
}

extension ListAuthorizationRequestsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ListAuthorizationRequestsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ListAuthorizationRequestsResponse> {
        unsafe till__v1__list_authorization_requests_response__init
    }

    init(fields: Till__V1__ListAuthorizationRequestsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            requests: AuthorizationRequest.list(fields.requests, fields.n_requests, "requests"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__ListAuthorizationRequestsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_requests = requests.count
        unsafe fields.requests = scratch.messages(requests)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}
