import FoundationEssentials
import TillEngine

/// Looks up published content. It waits for the disk on its own dispatch queue.
actor ContentLookup {
    private let content: ContentDirectory
    private let executor = FileExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ content: ContentDirectory) {
        self.content = content
    }

    /// Whether the content or its mark is missing.
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
