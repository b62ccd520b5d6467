import Foundation
import TillModel

/// What the application asks of downloads.
struct DownloadOrder: Hashable, Sendable {
    enum Command: Hashable, Sendable {
        case start
        case pause
        case resume
        case cancel
    }

    var command: Command
    var id: UUID
}
