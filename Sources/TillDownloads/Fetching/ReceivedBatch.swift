import NIOCore

/// Consecutive received bytes, to be written together.
struct ReceivedBatch: Sendable {
    /// The maximum number of chunks, because even small chunks use memory.
    static let chunksMaximum = 128

    private(set) var chunks: [ByteBuffer] = []
    private var byteCount = 0

    mutating func append(_ chunk: ByteBuffer) {
        chunks.append(chunk)
        byteCount += chunk.readableBytes
    }

    func isFull(at bytes: Int) -> Bool {
        byteCount >= bytes || chunks.count >= Self.chunksMaximum
    }
}
