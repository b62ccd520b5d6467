import NIOCore

/// The fuzzer's bytes as steps of a peer and of handlers.
struct FuzzScript {
    private var bytes: ByteBuffer

    init(_ input: [UInt8]) {
        bytes = ByteBuffer(bytes: input)
    }

    /// The next number; nil at the end.
    mutating func next() -> UInt8? {
        bytes.readInteger()
    }

    /// The next bytes. Their number precedes them; fewer are returned at the end.
    mutating func piece() -> ByteBuffer {
        let count = Int(bytes.readInteger(as: UInt8.self) ?? 0)
        return bytes.readSlice(length: min(count, bytes.readableBytes)) ?? ByteBuffer()
    }
}
