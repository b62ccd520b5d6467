import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension Download: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension Download: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__Download> {
        unsafe till__v1__download__init
    }

    init(fields: Till__V1__Download) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            productID: String(field: fields.product_id),
            content: .required(fields.content, "content"),
            state: DownloadState(fields.state.rawValue, "state"),
            receivedBytes: fields.received_bytes,
            timeRemaining: Self.timeRemaining(fields),
            error: .optional(fields.error, "error"),
            contentPath: .optional(fields.content_path)
        )
    }

    private static func timeRemaining(_ fields: Till__V1__Download) -> Duration? {
        let isPresent =
            unsafe fields.time_remaining_presence_case
            == TILL__V1__DOWNLOAD__TIME_REMAINING_PRESENCE_TIME_REMAINING_MS
        return unsafe isPresent ? .milliseconds(fields.time_remaining_ms) : nil
    }

    func fill(_ fields: inout Till__V1__Download, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.content = scratch.message(content)
        unsafe fields.state = Till__V1__DownloadState(state.enumerator)
        unsafe fields.received_bytes = receivedBytes
        if let timeRemaining {
            unsafe fields.time_remaining_presence_case = TILL__V1__DOWNLOAD__TIME_REMAINING_PRESENCE_TIME_REMAINING_MS
            unsafe fields.time_remaining_ms = timeRemaining.longFieldMilliseconds
        }
        unsafe fields.error = scratch.message(error)
        unsafe fields.content_path = scratch.text(contentPath ?? "")
    }
}
