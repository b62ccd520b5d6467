import CSystemCalls
import Glibc
import NIOCore
import TillModel

/// The bytes of a download that are here, with their hash.
struct PartFile {
    /// Read and hashed at a time when a download goes on.
    private static let chunkBytes = 1024 * 1024
    /// The disk begins to write after as many bytes, so that the last fsync has little left to do.
    private static let writeOutBytes: Int64 = 8 * 1024 * 1024

    let file: Descriptor
    private(set) var count: Int64 = 0
    private var writtenOut: Int64 = 0
    private var hash = ContentHash()

    var sha256: [UInt8] { hash.finish() }

    /// - Parameter file: Open to read and write, and at its beginning. What is in it counts.
    /// - Throws: Also `CancellationError`.
    init(_ file: Descriptor) throws {
        self.file = file
        var buffer = ByteBuffer()
        repeat {
            try Task.checkCancellation()
            try file.read(into: &buffer, atMost: Self.chunkBytes)
            hash.update(buffer)
            count += Int64(buffer.readableBytes)
        } while buffer.readableBytes > 0
        writtenOut = count
    }

    mutating func append(_ chunk: ByteBuffer) throws {
        try file.write(chunk)
        hash.update(chunk)
        count += Int64(chunk.readableBytes)
        if count - writtenOut >= Self.writeOutBytes {
            till_begin_writing_out(file.number, writtenOut, count - writtenOut)
            writtenOut = count
        }
    }
}
