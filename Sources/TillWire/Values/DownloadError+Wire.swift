import CTillMessages
import ProtobufCodec
package import TillModel

extension DownloadError: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension DownloadError: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__DownloadError> {
        unsafe till__v1__download_error__init
    }

    init(fields: Till__V1__DownloadError) throws(DecodingFailure) {
        try unsafe self.init(
            Reason(fields.reason.rawValue, "reason"),
            String(field: fields.message)
        )
    }

    func fill(_ fields: inout Till__V1__DownloadError, _ scratch: borrowing Scratch) {
        unsafe fields.reason = Till__V1__DownloadError__Reason(reason.enumerator)
        unsafe fields.message = scratch.text(message)
    }
}
