import FoundationEssentials
import TillModel

extension ContentDirectory {
    private static let ownerName = "content.owner"
    /// More than is ever written.
    private static let ownerBytesMaximum = 64

    /// Writes down that the directory is the ledger's, unless it says so. What earlier versions made says nothing.
    ///
    /// - Throws: `failedPrecondition` when it is another ledger's.
    func claim(for ledger: UUID) throws(TillError) {
        let text = "\(ledger.text)\n"
        guard !root.lacks(Self.ownerName) else {
            return try writeOwner(text)
        }
        guard let owner = root.file(Self.ownerName)?.text(atMost: Self.ownerBytesMaximum) else {
            throw Self.failure(
                "\(path)/\(Self.ownerName) cannot be read, which says whose content is in the directory."
            )
        }
        guard owner == text else {
            throw Self.failure(
                "\(path) keeps the content of another ledger; name another directory with --content, or remove this one if no daemon needs it."
            )
        }
    }

    /// Whole or not at all, whenever the machine stops.
    private func writeOwner(_ text: String) throws(TillError) {
        let draft = Self.ownerName + ".new"
        do {
            root.removeTree(draft)
            let file = try root.makeFile(draft, mode: 0o400)
            try file.write(text)
            try file.synchronize()
            try root.rename(draft, to: Self.ownerName, in: root)
            try root.synchronize()
        } catch {
            throw Self.failure("\(path) cannot be marked: \((error as? DownloadError)?.message ?? "\(error)")")
        }
    }
}
