import NIOCore

/// The fuzzer's bytes as steps of a peer and of the handlers, which it reads one after the other.
struct FuzzScript {
    private var bytes: ByteBuffer

    init(_ input: [UInt8]) {
        bytes = ByteBuffer(bytes: input)
    }

    /// The next number; nil at the end.
    mutating func next() -> UInt8? {
        bytes.readInteger()
    }

    /// The next bytes, as many as the number before them says, or as there are.
    mutating func piece() -> ByteBuffer {
        let count = Int(bytes.readInteger(as: UInt8.self) ?? 0)
        return bytes.readSlice(length: min(count, bytes.readableBytes)) ?? ByteBuffer()
    }
}
