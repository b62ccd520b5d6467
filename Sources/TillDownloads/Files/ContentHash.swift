import Crypto
import NIOCore

/// SHA-256 of bytes as they come.
struct ContentHash {
    private var hash = SHA256()

    mutating func update(_ buffer: ByteBuffer) {
        unsafe buffer.withUnsafeReadableBytes { unsafe hash.update(bufferPointer: $0) }
    }

    func finish() -> [UInt8] {
        Array(hash.finalize())
    }
}
