import FoundationEssentials
import Glibc
import NIOCore
import TillEngine
import TillModel

/// The files of one running download. It waits for the disk on its own dispatch queue.
actor DownloadFiles {
    struct Published: Hashable, Sendable {
        /// The absolute path.
        var path: String
        var size: Int64
    }

    let content: ContentDirectory
    let order: ContentOrder
    let user: uid_t?
    let limits: ArchiveLimits
    private let executor = FileExecutor()
    private(set) var part: PartFile?
    private var origin: PartOrigin?
    /// Whether a part of the bytes is from an earlier run. Such bytes may have been damaged by a crash of the machine.
    private var hasOlderBytes = false
    /// The buffer for copying a `file:` source.
    private var copyBuffer = ByteBuffer()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    nonisolated var names: DownloadNames { DownloadNames(order.id) }

    var receivedBytes: Int64 { part?.count ?? 0 }
    /// The bytes that the next run will find, even if this one has not used them.
    var keptBytes: Int64 { part?.count ?? Int64(content.partial.file(names.part)?.status()?.st_size ?? 0) }

    init(content: ContentDirectory, order: ContentOrder, user: uid_t?, limits: ArchiveLimits) {
        self.content = content
        self.order = order
        self.user = user
        self.limits = limits
    }

    /// Resumes the part of an earlier run, and checks, before downloading, that the content can be stored and made
    /// accessible.
    func prepare() throws {
        try Task.checkCancellation()
        _ = try content.account(order.queue.account, of: user)
        content.partial.removeTree(names.fresh)
        try takeUpPart()
        try content.checkSpace(for: order.source.content.length - receivedBytes)
    }

    /// The validator that the rest must have; nil if the part cannot be resumed.
    func validator() -> String? {
        receivedBytes > 0 ? origin?.validator : nil
    }

    /// Starts with an empty part.
    ///
    /// - Parameter validator: The content's validator; without one, the part cannot be resumed later.
    func beginAnew(validator: String?) throws {
        part = nil
        removePart()
        part = try PartFile(content.partial.makeFile(names.part, mode: 0o600))
        hasOlderBytes = false
        guard let validator else {
            return
        }
        let origin = makeOrigin(validator)
        if let text = origin.text {
            try content.partial.makeFile(names.origin, mode: 0o600).write(text)
            self.origin = origin
        }
    }

    /// - Returns: The number of received bytes.
    func append(_ chunks: [ByteBuffer]) async throws -> Int64 {
        let count = chunks.reduce(0) { $0 + Int64($1.readableBytes) }
        guard let hash = part?.hash, count <= order.source.content.length - receivedBytes else {
            throw DownloadError.tooLong
        }
        try content.checkSpace(for: count)
        async let hashed: Void = hash.update(chunks)
        try part?.append(chunks)
        await hashed
        return receivedBytes
    }

    /// Copies the next bytes from the file.
    ///
    /// - Returns: The number of received bytes, and whether the file's end was reached.
    func copy(from file: Descriptor, atMost count: Int) async throws -> (received: Int64, isEnd: Bool) {
        try file.read(into: &copyBuffer, atMost: count)
        return (try await append([copyBuffer]), copyBuffer.readableBytes == 0)
    }

    /// Verifies the content and publishes it.
    func finish() async throws -> Published {
        guard let part, part.count == order.source.content.length else {
            throw DownloadError(.length, "The content is incomplete.")
        }
        guard await part.hash.sha256 == order.source.sha256 else {
            guard hasOlderBytes else {
                throw DownloadError(.checksum, "The content's SHA-256 differs from the catalogue.")
            }
            try beginAnew(validator: nil)
            throw Setback("the bytes of an earlier run are damaged")
        }
        return try publish(part)
    }

    /// Removes all files of the download.
    func discard() {
        part = nil
        removePart()
        content.partial.removeTree(names.fresh)
    }

    func removePart() {
        origin = nil
        content.partial.removeTree(names.origin)
        content.partial.removeTree(names.part)
    }

    private func takeUpPart() throws {
        guard part == nil else {
            return
        }
        let known = content.partial.file(names.origin)?.text(atMost: PartOrigin.maximumBytes).flatMap(PartOrigin.init)
        guard let known, known == makeOrigin(known.validator),
            let file = content.partial.file(names.part, writing: true),
            let size = file.status()?.st_size, size <= order.source.content.length
        else {
            removePart()
            return
        }
        part = try PartFile(file)
        origin = known
        hasOlderBytes = receivedBytes > 0
    }

    private func makeOrigin(_ validator: String) -> PartOrigin {
        PartOrigin(sha256: order.source.sha256, url: order.source.url.absoluteString, validator: validator)
    }
}
