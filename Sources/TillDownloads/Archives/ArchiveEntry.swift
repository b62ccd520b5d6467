/// What an archive says of one of its entries.
struct ArchiveEntry: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case file
        case directory
        case link
        case special
    }

    /// As the archive has it, up to its first NUL.
    var name: [UInt8]
    var kind: Kind
    var hasSetID: Bool
    var isEncrypted: Bool

    /// - Throws: When it is not to be unpacked, whatever its name is.
    func check() throws(ArchiveFault) {
        guard !isEncrypted else { throw .encrypted }
        guard kind != .link else { throw .link }
        guard kind != .special else { throw .special }
        guard !hasSetID else { throw .setID }
    }
}
