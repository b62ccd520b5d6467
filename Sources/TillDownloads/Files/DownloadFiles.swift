import FoundationEssentials
import Glibc
import NIOCore
import TillEngine
import TillModel

/// The files of one download, while it is at work. Waits for the disk on a queue of its own.
actor DownloadFiles {
    struct Published: Hashable, Sendable {
        /// Absolute.
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
    /// Whether some of the part was here before this run. Such bytes may have been lost in a crash of the machine.
    private var hasOlderBytes = false
    /// What a `file:` is copied through.
    private var copyBuffer = ByteBuffer()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    nonisolated var names: DownloadNames { DownloadNames(order.id) }

    var receivedBytes: Int64 { part?.count ?? 0 }
    /// What the next run finds here, also when this one never took it up.
    var keptBytes: Int64 { part?.count ?? Int64(content.partial.file(names.part)?.status()?.st_size ?? 0) }

    init(content: ContentDirectory, order: ContentOrder, user: uid_t?, limits: ArchiveLimits) {
        self.content = content
        self.order = order
        self.user = user
        self.limits = limits
    }

    /// Takes up what an earlier run left, and sees that the content can be kept and handed over, before any of it comes.
    func prepare() throws {
        try Task.checkCancellation()
        _ = try content.account(order.queue.account, of: user)
        content.partial.removeTree(names.fresh)
        try takeUpPart()
        try content.checkSpace(for: order.source.content.length - receivedBytes)
    }

    /// The validator that the rest of the part must have, if the part can go on.
    func validator() -> String? {
        receivedBytes > 0 ? origin?.validator : nil
    }

    /// Begins with nothing.
    ///
    /// - Parameter validator: Without one, the part cannot go on later.
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

    /// - Returns: Bytes that are here now.
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

    /// Copies on from where the file was read last.
    ///
    /// - Returns: Bytes that are here now, and whether there was nothing more.
    func copy(from file: Descriptor, atMost count: Int) async throws -> (received: Int64, isEnd: Bool) {
        try file.read(into: &copyBuffer, atMost: count)
        return (try await append([copyBuffer]), copyBuffer.readableBytes == 0)
    }

    /// Checks that the content is right, and publishes it.
    func finish() async throws -> Published {
        guard let part, part.count == order.source.content.length else {
            throw DownloadError(.length, "The content is not whole.")
        }
        guard await part.hash.sha256 == order.source.sha256 else {
            guard hasOlderBytes else {
                throw DownloadError(.checksum, "The content has another SHA-256 than the store says.")
            }
            try beginAnew(validator: nil)
            throw Setback("what was here before is damaged")
        }
        return try publish(part)
    }

    /// Removes all that is here of the download.
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
