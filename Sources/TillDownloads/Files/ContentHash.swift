import Crypto
import NIOCore

/// Computes the SHA-256 of received bytes while they are written, because both take a considerable part of the time.
actor ContentHash {
    /// The number of bytes read at a time.
    private static let chunkBytes = 1024 * 1024

    private var hash: SHA256
    private let executor = FileExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    var sha256: [UInt8] { Array(hash.finalize()) }

    private init(_ hash: SHA256) {
        self.hash = hash
    }

    /// Computes the hash of the rest of the file, from its current position.
    ///
    /// - Throws: Read errors, and `CancellationError`.
    static func ofRest(of file: Descriptor) throws -> (hash: ContentHash, count: Int64) {
        var hash = SHA256()
        var count: Int64 = 0
        var buffer = ByteBuffer()
        repeat {
            try Task.checkCancellation()
            try file.read(into: &buffer, atMost: chunkBytes)
            update(&hash, buffer)
            count += Int64(buffer.readableBytes)
        } while buffer.readableBytes > 0
        return (ContentHash(hash), count)
    }

    func update(_ chunks: [ByteBuffer]) {
        chunks.forEach { Self.update(&hash, $0) }
    }

    private static func update(_ hash: inout SHA256, _ buffer: ByteBuffer) {
        unsafe buffer.withUnsafeReadableBytes { unsafe hash.update(bufferPointer: $0) }
    }
}
