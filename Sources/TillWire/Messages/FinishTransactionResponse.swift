import CTillMessages
import ProtobufCodec

/// Answers a removal that is durable.
package struct FinishTransactionResponse: Hashable, Sendable {
    /// The change that removed the transaction from the queue.
    package var revision: UInt64

    package init(revision: UInt64) {
        self.revision = revision
    }
}

extension FinishTransactionResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension FinishTransactionResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__FinishTransactionResponse> {
        unsafe till__v1__finish_transaction_response__init
    }

    init(fields: Till__V1__FinishTransactionResponse) {
        unsafe self.init(revision: fields.revision)
    }

    func fill(_ fields: inout Till__V1__FinishTransactionResponse, _ scratch: borrowing Scratch) {
        unsafe fields.revision = revision
    }
}
