import TillModel

/// Why an archive is not unpacked.
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
        DownloadError(.archive, "The archive is not unpacked: \(clause).")
    }

    private var clause: String {
        switch self {
        case .unreadable: "it is broken, or of another format than the store says"
        case .encrypted: "an entry is encrypted"
        case .compressedTwice: "it is compressed more than once"
        case .nameMissing: "an entry has no name"
        case .nameNotText: "a name is not UTF-8"
        case .nameWithControl: "a name has a control character"
        case .nameWithBackslash: "a name has a backslash"
        case .nameAbsolute: "a name begins with a slash"
        case .nameWithEmptyStep: "a name has two slashes in a row, or a file's ends in one"
        case .nameWithDots: "a name has a step that is one period or two"
        case .nameTooLong: "a name is too long"
        case .tooDeep: "an entry lies too deep"
        case .link: "it holds a link"
        case .special: "it holds what is neither a file nor a directory"
        case .setID: "an entry would run as another user"
        case .duplicate: "two entries have the same name"
        case .collision: "two names differ only in case or in the form of their characters"
        case .tooManyEntries: "it holds too many entries"
        case .tooManyBytes: "it holds too many bytes"
        case .tooMuchInflated: "it is many times larger unpacked"
        }
    }
}
