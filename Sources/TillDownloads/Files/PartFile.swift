import CSystemCalls
import Glibc
import NIOCore
import TillModel

/// The bytes of a download that are here, with their hash.
struct PartFile {
    /// The disk begins to write after as many bytes, so that the last fsync has little left to do.
    private static let writeOutBytes: Int64 = 8 * 1024 * 1024

    let file: Descriptor
    private(set) var count: Int64
    private var writtenOut: Int64
    let hash: ContentHash

    /// - Parameter file: Open to read and write, and at its beginning. What is in it counts.
    /// - Throws: Also `CancellationError`.
    init(_ file: Descriptor) throws {
        self.file = file
        (hash, count) = try ContentHash.ofRest(of: file)
        writtenOut = count
    }

    /// Writes without hashing.
    mutating func append(_ chunks: [ByteBuffer]) throws {
        for chunk in chunks {
            try file.write(chunk)
            count += Int64(chunk.readableBytes)
        }
        if count - writtenOut >= Self.writeOutBytes {
            till_begin_writing_out(file.number, writtenOut, count - writtenOut)
            writtenOut = count
        }
    }
}
