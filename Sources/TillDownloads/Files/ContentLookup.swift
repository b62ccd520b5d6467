import FoundationEssentials
import TillEngine

/// Looks for what is published. Waits for the disk on a queue of its own.
actor ContentLookup {
    private let content: ContentDirectory
    private let executor = FileExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ content: ContentDirectory) {
        self.content = content
    }

    /// Whether the content or its mark is gone.
    func hasLost(_ id: UUID, _ identifier: String, of queue: QueueName) -> Bool {
        guard let account = FileName.ofIdentifier(queue.account),
            let application = FileName.ofIdentifier(queue.application),
            let name = FileName.ofIdentifier(identifier)
        else {
            return false
        }
        let published = [account, application, DownloadNames(id).published].joined(separator: "/")
        return [PublishedMark.name, name].contains { content.accounts.lacks("\(published)/\($0)") }
    }
}
