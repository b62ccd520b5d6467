import Dispatch
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

/// Removes content. It waits for the disk on its own dispatch queue and never follows links.
actor ContentRemoval {
    private let content: ContentDirectory
    private let executor = FileExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ content: ContentDirectory) {
        self.content = content
    }

    func remove(_ id: UUID, of queue: QueueName) {
        let names = DownloadNames(id)
        [names.origin, names.part, names.fresh].forEach { content.partial.removeTree($0) }
        guard let account = FileName.ofIdentifier(queue.account),
            let application = FileName.ofIdentifier(queue.application),
            let directory = try? content.accounts.directory(account).directory(application)
        else {
            return
        }
        directory.removeTree(names.published)
    }

    /// Removes all downloads except the kept ones. Files with other names are not touched.
    func removeAll(except kept: Set<UUID>) {
        removeDownloads(in: content.partial, except: kept)
        for account in content.accounts.names() {
            guard let accountDirectory = try? content.accounts.directory(account) else {
                continue
            }
            for application in accountDirectory.names() {
                guard let applicationDirectory = try? accountDirectory.directory(application) else {
                    continue
                }
                removeDownloads(in: applicationDirectory, except: kept)
                accountDirectory.removeIfEmpty(application)
            }
            content.accounts.removeIfEmpty(account)
        }
    }

    private func removeDownloads(in directory: Directory, except kept: Set<UUID>) {
        directory.names().filter { DownloadNames.owner(of: $0).map { !kept.contains($0) } ?? false }.forEach {
            directory.removeTree($0)
        }
    }
}

/// Runs an actor on a dispatch queue, where it may block on the disk.
final class FileExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "till.downloads.files")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }
}
