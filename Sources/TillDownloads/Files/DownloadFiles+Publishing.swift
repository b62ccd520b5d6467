import Glibc
import TillEngine
import TillModel

extension DownloadFiles {
    /// The content that an earlier run published, if it is intact; the answer of that run may have been lost.
    func published() async throws -> Published? {
        guard let names = visibleNames(),
            let directory = try? content.accounts.directory(names.account)
                .directory(names.application).directory(self.names.published),
            let mark = directory.file(PublishedMark.name)?.text(atMost: PublishedMark.maximumBytes)
                .flatMap(PublishedMark.init), mark.sha256 == order.source.sha256
        else {
            return nil
        }
        if order.source.archive != nil {
            guard (try? directory.directory(names.content)) != nil else { return nil }
        } else {
            guard let file = directory.file(names.content),
                file.status().map({ Int64($0.st_size) }) == order.source.content.length,
                try await ContentHash.ofRest(of: file).hash.sha256 == order.source.sha256
            else { return nil }
        }
        return Published(path: path(names), size: mark.size)
    }

    /// Flushes everything under a hidden name, then makes it visible atomically.
    func publish(_ part: PartFile) throws -> Published {
        guard let visible = visibleNames() else {
            throw DownloadError(.storage, "The content's name is not a valid file name.")
        }
        content.partial.removeTree(names.fresh)
        let fresh = try content.partial.makeFreshDirectory(names.fresh, mode: ContentDirectory.openMode)
        let size = try fill(fresh, visible.content, from: part)
        let mark = try fresh.makeFile(PublishedMark.name, mode: 0o400)
        try mark.write(PublishedMark(sha256: order.source.sha256, size: size).text)
        try mark.synchronize()
        try fresh.synchronize()
        let application = try content.account(order.queue.account, of: user)
            .makeDirectory(visible.application, mode: ContentDirectory.openMode)
        try application.setMode(ContentDirectory.openMode)
        application.removeTree(names.published)
        try content.partial.rename(names.fresh, to: names.published, in: application)
        try application.synchronize()
        removePart()
        return Published(path: path(visible), size: size)
    }

    private func fill(_ fresh: Directory, _ name: String, from part: PartFile) throws -> Int64 {
        guard let archive = order.source.archive else {
            guard fchmod(part.file.number, 0o444) == 0 else {
                throw DownloadError.system("Cannot set the mode of the content")
            }
            try part.file.synchronize()
            try content.partial.link(names.part, as: name, in: fresh)
            return part.count
        }
        guard lseek(part.file.number, 0, SEEK_SET) == 0 else {
            throw DownloadError.system("Cannot read the archive")
        }
        let directory = try fresh.makeFreshDirectory(name, mode: ContentDirectory.openMode)
        var unpacking = Unpacking(into: directory, limits: limits, archiveBytes: part.count, content: content)
        return try unpacking.run(part.file, as: archive)
    }

    private struct VisibleNames {
        var account: String
        var application: String
        var content: String
    }

    /// Nil if one of them is not a valid identifier.
    private func visibleNames() -> VisibleNames? {
        guard let account = FileName.ofIdentifier(order.queue.account),
            let application = FileName.ofIdentifier(order.queue.application),
            let content = FileName.ofIdentifier(order.source.content.identifier)
        else {
            return nil
        }
        return VisibleNames(account: account, application: application, content: content)
    }

    private func path(_ visible: VisibleNames) -> String {
        [content.path, "accounts", visible.account, visible.application, names.published, visible.content]
            .joined(separator: "/")
    }
}
