import Foundation
import TillModel

/// A download command from the application.
struct DownloadAction: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case start
        case pause
        case resume
        case cancel
    }

    var kind: Kind
    var id: UUID
}
