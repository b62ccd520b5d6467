import CSystemCalls
import Glibc
import NIOCore
import TillModel

/// The received bytes of a download, with their hash.
struct PartFile {
    /// The number of bytes after which writing to the disk is started, so that the final fsync takes little time.
    private static let writeOutBytes: Int64 = 8 * 1024 * 1024

    let file: Descriptor
    private(set) var count: Int64
    private var writtenOut: Int64
    let hash: ContentHash

    /// - Parameter file: A file open for reading and writing, positioned at its start. Its contents are included.
    /// - Throws: Read errors, and `CancellationError`.
    init(_ file: Descriptor) throws {
        self.file = file
        (hash, count) = try ContentHash.ofRest(of: file)
        writtenOut = count
    }

    /// Writes the chunks, without hashing them.
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
