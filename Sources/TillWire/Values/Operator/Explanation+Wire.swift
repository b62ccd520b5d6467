import CTillMessages
import ProtobufCodec
package import TillModel

extension Explanation: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Explanation: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__Explanation> {
        unsafe till__v1__explanation__init
    }

    init(fields: Till__V1__Explanation) throws(DecodingFailure) {
        try unsafe self.init(
            application: String(field: fields.application),
            account: String(field: fields.account),
            transaction: .required(fields.transaction, "transaction"),
            sentence: String(field: fields.sentence),
            actions: [String](fields.actions, fields.n_actions),
            history: HistoryEntry.list(fields.history, fields.n_history, "history"),
            charges: ChargeSummary.list(fields.charges, fields.n_charges, "charges"),
            refunds: RefundSummary.list(fields.refunds, fields.n_refunds, "refunds")
        )
    }

    func fill(_ fields: inout Till__V1__Explanation, _ scratch: borrowing Scratch) {
        unsafe fields.application = scratch.text(application)
        unsafe fields.account = scratch.text(account)
        unsafe fields.transaction = scratch.message(transaction)
        unsafe fields.sentence = scratch.text(sentence)
        unsafe fields.n_actions = actions.count
        unsafe fields.actions = scratch.texts(actions)
        unsafe fields.n_history = history.count
        unsafe fields.history = scratch.messages(history)
        unsafe fields.n_charges = charges.count
        unsafe fields.charges = scratch.messages(charges)
        unsafe fields.n_refunds = refunds.count
        unsafe fields.refunds = scratch.messages(refunds)
    }
}
