import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension Transaction: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Transaction: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__Transaction> {
        unsafe till__v1__transaction__init
    }

    init(fields: Till__V1__Transaction) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            revision: fields.revision,
            state: TransactionState(fields.state.rawValue, "state"),
            payment: .required(fields.payment, "payment"),
            purchase: .optional(fields.purchase, "purchase"),
            error: .optional(fields.error, "error"),
            original: .optional(fields.original, "original"),
            blocker: .optional(fields.blocker.rawValue, "blocker"),
            deadline: Self.deadline(fields),
            continues: .optional(fields.continues, "continues"),
            revocation: .optional(fields.revocation, "revocation"),
            subscription: .optional(fields.subscription, "subscription"),
            receipt: .optional(fields.receipt),
            downloads: Download.list(fields.downloads, fields.n_downloads, "downloads"),
            isFinished: Bool(field: fields.is_finished)
        )
    }

    private static func deadline(_ fields: Till__V1__Transaction) -> Date? {
        let isPresent = unsafe fields.deadline_presence_case == TILL__V1__TRANSACTION__DEADLINE_PRESENCE_DEADLINE_MS
        return unsafe isPresent ? Date(millisecondsSince1970: fields.deadline_ms) : nil
    }

    func fill(_ fields: inout Till__V1__Transaction, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.revision = revision
        unsafe fields.state = Till__V1__TransactionState(state.enumerator)
        unsafe fields.payment = scratch.message(payment)
        unsafe fields.purchase = scratch.message(purchase)
        unsafe fields.error = scratch.message(error)
        unsafe fields.original = scratch.message(original)
        unsafe fields.is_finished = isFinished.field
        unsafe fields.blocker = Till__V1__Blocker(blocker?.enumerator ?? 0)
        if let deadline {
            unsafe fields.deadline_presence_case = TILL__V1__TRANSACTION__DEADLINE_PRESENCE_DEADLINE_MS
            unsafe fields.deadline_ms = deadline.millisecondsSince1970
        }
        if let continues {
            unsafe fields.continues = scratch.bytes(continues.bytes)
        }
        unsafe fields.revocation = scratch.message(revocation)
        unsafe fields.subscription = scratch.message(subscription)
        unsafe fields.receipt = scratch.text(receipt ?? "")
        unsafe fields.n_downloads = downloads.count
        unsafe fields.downloads = scratch.messages(downloads)
    }
}
