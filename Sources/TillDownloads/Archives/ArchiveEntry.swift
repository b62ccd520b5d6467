/// The properties of an archive entry.
struct ArchiveEntry: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case file
        case directory
        case link
        case special
    }

    /// The name in the archive, up to its first NUL.
    var name: [UInt8]
    var kind: Kind
    var hasSetID: Bool
    var isEncrypted: Bool

    /// - Throws: The reason the entry must not be unpacked, regardless of its name.
    func check() throws(ArchiveFault) {
        guard !isEncrypted else { throw .encrypted }
        guard kind != .link else { throw .link }
        guard kind != .special else { throw .special }
        guard !hasSetID else { throw .setID }
    }
}
