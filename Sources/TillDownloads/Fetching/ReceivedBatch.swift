import NIOCore

/// Bytes that came one after another, to be written at once.
struct ReceivedBatch: Sendable {
    /// However small they are: each takes memory of its own.
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
