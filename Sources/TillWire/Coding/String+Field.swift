import CTillMessages
import ProtobufCodec

extension String {
    /// The text of a field in which emptiness stands for absence.
    static func optional(_ data: ProtobufCBinaryData) -> String? {
        let text = unsafe String(field: data)
        return text.isEmpty ? nil : text
    }
}

extension [String] {
    /// The texts of a repeated field.
    init(_ data: UnsafeMutablePointer<ProtobufCBinaryData>?, _ count: Int) {
        self = unsafe UnsafeBufferPointer(start: data, count: count).map { unsafe String(field: $0) }
    }
}
