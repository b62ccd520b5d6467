import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Restores completed purchases; sending the same restore again is harmless.
package struct RestoreCompletedTransactionsRequest: Hashable, Sendable {
    /// Made by the client.
    package var restoreID: UUID
    /// Restricts the restore to purchases made with this username.
    package var applicationUsername: String?

    package init(restoreID: UUID, applicationUsername: String? = nil) {
        self.restoreID = restoreID
        self.applicationUsername = applicationUsername
    }
}

extension RestoreCompletedTransactionsRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RestoreCompletedTransactionsRequest: @unsafe WireFields {
    private static var usernameCase: Till__V1__RestoreCompletedTransactionsRequest__ApplicationUsernamePresenceCase {
        TILL__V1__RESTORE_COMPLETED_TRANSACTIONS_REQUEST__APPLICATION_USERNAME_PRESENCE_APPLICATION_USERNAME
    }

    static var initializer: MessageInitializer<Till__V1__RestoreCompletedTransactionsRequest> {
        unsafe till__v1__restore_completed_transactions_request__init
    }

    init(fields: Till__V1__RestoreCompletedTransactionsRequest) throws(DecodingFailure) {
        let isRestricted = unsafe fields.application_username_presence_case == Self.usernameCase
        try unsafe self.init(
            restoreID: UUID(fields.restore_id, "restore_id"),
            applicationUsername: isRestricted ? String(field: fields.application_username) : nil
        )
    }

    func fill(_ fields: inout Till__V1__RestoreCompletedTransactionsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.restore_id = scratch.bytes(restoreID.bytes)
        if let applicationUsername {
            unsafe fields.application_username_presence_case = Self.usernameCase
            unsafe fields.application_username = scratch.text(applicationUsername)
        }
    }
}
