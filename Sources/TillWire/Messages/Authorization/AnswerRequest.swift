import CTillMessages
package import FoundationEssentials
import ProtobufCodec
package import TillModel

/// A person's answer to a request.
package struct AnswerRequest: Hashable, Sendable {
    package var id: UUID
    package var kind: AuthorizationRequest.Kind
    package var approves: Bool
    /// The person's words, which may be empty; at most ``WireProtocol/reasonMaximumBytes``.
    package var reason: String

    package init(id: UUID, kind: AuthorizationRequest.Kind, approves: Bool, reason: String = "") {
        self.id = id
        self.kind = kind
        self.approves = approves
        self.reason = reason
    }
}

extension AnswerRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AnswerRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AnswerRequest> {
        unsafe till__v1__answer_request__init
    }

    init(fields: Till__V1__AnswerRequest) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            kind: AuthorizationRequest.Kind(fields.kind.rawValue, "kind"),
            approves: Bool(field: fields.approves),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__AnswerRequest, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.kind = Till__V1__AuthorizationKind(kind.enumerator)
        unsafe fields.approves = approves.field
        unsafe fields.reason = scratch.text(reason)
    }
}
