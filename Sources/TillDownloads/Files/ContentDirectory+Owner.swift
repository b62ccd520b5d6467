import FoundationEssentials
import TillModel

extension ContentDirectory {
    private static let ownerName = "content.owner"
    /// Larger than any owner file that is written.
    private static let ownerBytesMaximum = 64

    /// Records that the directory belongs to the ledger, unless it is recorded already. Directories of earlier versions
    /// have no record.
    ///
    /// - Throws: `failedPrecondition` if it belongs to another ledger.
    func claim(for ledger: UUID) throws(TillError) {
        let text = "\(ledger.text)\n"
        guard !root.lacks(Self.ownerName) else {
            return try writeOwner(text)
        }
        guard let owner = root.file(Self.ownerName)?.text(atMost: Self.ownerBytesMaximum) else {
            throw Self.failure(
                "\(path)/\(Self.ownerName) cannot be read, but it records which ledger owns the directory."
            )
        }
        guard owner == text else {
            throw Self.failure(
                "\(path) contains the content of another ledger; use another directory with --content, or remove this one if no daemon needs it."
            )
        }
    }

    /// Writes the owner file atomically, even if the machine crashes.
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
