import TillModel

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

/// The reason an archive is refused.
enum ArchiveFault: Error, Hashable, Sendable, CaseIterable {
    case unreadable
    case encrypted
    case compressedTwice
    case nameMissing
    case nameNotText
    case nameWithControl
    case nameWithBackslash
    case nameAbsolute
    case nameWithEmptyStep
    case nameWithDots
    case nameTooLong
    case tooDeep
    case link
    case special
    case setID
    case duplicate
    case collision
    case tooManyEntries
    case tooManyBytes
    case tooMuchInflated

    var error: DownloadError {
        DownloadError(.archive, "The archive is refused: \(clause).")
    }

    private var clause: String {
        switch self {
        case .unreadable: "it is invalid or has another format than the catalogue states"
        case .encrypted: "an entry is encrypted"
        case .compressedTwice: "it is compressed more than once"
        case .nameMissing: "an entry has no name"
        case .nameNotText: "a name is not UTF-8"
        case .nameWithControl: "a name has a control character"
        case .nameWithBackslash: "a name has a backslash"
        case .nameAbsolute: "a name begins with a slash"
        case .nameWithEmptyStep: "a name has two slashes in a row, or a file's ends in one"
        case .nameWithDots: "a name has a component that is one or two periods"
        case .nameTooLong: "a name is too long"
        case .tooDeep: "an entry is nested too deeply"
        case .link: "it contains a link"
        case .special: "it contains an entry that is neither a file nor a directory"
        case .setID: "an entry has a set-user-ID or set-group-ID bit"
        case .duplicate: "two entries have the same name"
        case .collision: "two names differ only in case or in the form of their characters"
        case .tooManyEntries: "it contains too many entries"
        case .tooManyBytes: "it contains too many bytes"
        case .tooMuchInflated: "its compression ratio is too high"
        }
    }
}

/// The limits of an archive. An archive beyond a limit is refused entirely.
///
/// Bytes are counted as they are unpacked, not as the archive declares them.
package struct ArchiveLimits: Hashable, Sendable {
    /// The number of files and directories, including directories that only occur in paths of files.
    package var entriesMaximum = 10_000
    /// The total size of all files: 4 GiB.
    package var bytesMaximum: Int64 = 4 * 1024 * 1024 * 1024
    /// The maximum ratio of the total size of the files to the archive's size, once they exceed ``freeBytes``.
    package var ratioMaximum: Int64 = 100
    package var freeBytes: Int64 = 1024 * 1024
    /// The number of components of a path.
    package var depthMaximum = 16
    /// The length of one path component, which equals the limit of Linux file systems.
    package var nameMaximumBytes = 255

    package init() {}
}
