import TillModel

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
