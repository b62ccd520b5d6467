/// The calls of the service `till.v1.Downloads`, by their names.
package enum DownloadsMethod: String, Hashable, Sendable, CaseIterable {
    case listDownloads = "ListDownloads"
    case start = "Start"
    case pause = "Pause"
    case resume = "Resume"
    case cancel = "Cancel"

    package static let service = "till.v1.Downloads"
}
