/// A reader of untrusted bytes, which is given arbitrary bytes. A broken promise stops the process, as a trap in the
/// reader does.
@safe package struct FuzzTarget: Sendable {
    private enum Entry: Sendable {
        case plain(@Sendable ([UInt8]) -> Void)
        case waiting(@Sendable ([UInt8]) async -> Void)
    }

    /// The target's name, which is also the name of its corpus.
    package let name: String
    private let entry: Entry

    init(_ name: String, _ entry: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.entry = .plain(entry)
    }

    init(_ name: String, waiting entry: @escaping @Sendable ([UInt8]) async -> Void) {
        self.name = name
        self.entry = .waiting(entry)
    }

    /// Reads the bytes.
    package func run(_ bytes: [UInt8]) async {
        switch entry {
        case .plain(let entry): entry(bytes)
        case .waiting(let entry): await entry(bytes)
        }
    }

    /// Reads the bytes, and blocks the thread until this is done. The thread must not be one of Swift's pool.
    package func runBlocking(_ bytes: [UInt8]) {
        switch entry {
        case .plain(let entry): entry(bytes)
        case .waiting(let entry): blocking { await entry(bytes) }
        }
    }

    /// All targets.
    package static let all: [FuzzTarget] = [
        frames, messages, server, client, catalogue, manifest, archive, receipt, answerHead, charges, settings, notes,
    ]
}
