import CSystemCalls
import Glibc
import NIOCore
import TillCrypto
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

/// The origin of a part. A part is resumed only from the same source with the same validator.
struct PartOrigin: Hashable, Sendable {
    /// The maximum size of an origin file.
    static let maximumBytes = 16 * 1024

    /// The SHA-256 of the complete content.
    var sha256: [UInt8]
    /// The source of the validator.
    var url: String
    /// A strong entity tag or an equivalent.
    var validator: String

    /// The file's text, one line per value; nil if it could not be read back unchanged.
    var text: String? {
        let lines = [sha256.hexadecimal, url, validator]
        let text = lines.map { $0 + "\n" }.joined()
        return text.utf8.count <= Self.maximumBytes && Self(text: text) == self ? text : nil
    }

    init(sha256: [UInt8], url: String, validator: String) {
        self.sha256 = sha256
        self.url = url
        self.validator = validator
    }

    /// - Returns: Nil if the text is incomplete.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 4, let sha256 = [UInt8](hexadecimal: lines[0]), lines[3].isEmpty else {
            return nil
        }
        self.init(sha256: sha256, url: lines[1], validator: lines[2])
    }
}

/// Computes the SHA-256 of received bytes while they are written, because both take a considerable part of the time.
actor ContentHash {
    /// The number of bytes read at a time.
    private static let chunkBytes = 1024 * 1024

    private var hash: SHA256Hasher
    private let executor = FileExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    var sha256: [UInt8] { hash.digest.bytes }

    private init(_ hash: SHA256Hasher) {
        self.hash = hash
    }

    /// Computes the hash of the rest of the file, from its current position.
    ///
    /// - Throws: Read errors, and `CancellationError`.
    static func ofRest(of file: Descriptor) throws -> (hash: ContentHash, count: Int64) {
        var hash = SHA256Hasher()
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

    private static func update(_ hash: inout SHA256Hasher, _ buffer: ByteBuffer) {
        hash.update(buffer.readableBytesView)
    }
}
