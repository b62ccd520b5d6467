import CTillMessages
import FoundationEssentials
import ProtobufCodec
import TillModel

/// The message of ``AuthorizationEvent/withdrawn(id:kind:)``.
struct AuthorizationWithdrawn {
    var id: UUID
    var kind: AuthorizationRequest.Kind

    var event: AuthorizationEvent {
        .withdrawn(id: id, kind: kind)
    }
}

extension AuthorizationWithdrawn: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AuthorizationWithdrawn> {
        unsafe till__v1__authorization_withdrawn__init
    }

    init(fields: Till__V1__AuthorizationWithdrawn) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            kind: AuthorizationRequest.Kind(fields.kind.rawValue, "kind")
        )
    }

    func fill(_ fields: inout Till__V1__AuthorizationWithdrawn, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.kind = Till__V1__AuthorizationKind(kind.enumerator)
    }
}
