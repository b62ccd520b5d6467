import FoundationEssentials
import TillModel

/// An application's command for a download.
package enum DownloadCommand: Hashable, Sendable {
    case start
    case pause
    case resume
    case cancel

    /// The download after the command; nil if the command does nothing, such as pausing a download that is not active.
    ///
    /// A failed or cancelled download may be started again until its transaction is finished.
    func applied(to record: DownloadRecord, deadline: Date, receivedBytes: Int64) -> DownloadRecord? {
        var record = record
        switch (self, record.state) {
        case (.start, .waiting), (.start, .failed), (.start, .cancelled):
            record.receivedBytes = 0
            record.run(until: deadline)
        case (.resume, .paused):
            record.run(until: deadline)
        case (.pause, .active):
            record.receivedBytes = receivedBytes
            record.rest(.paused)
        case (.cancel, .waiting), (.cancel, .active), (.cancel, .paused):
            record.receivedBytes = 0
            record.rest(.cancelled)
        default:
            return nil
        }
        return record
    }
}

extension DownloadRecord {
    /// Fails it.
    mutating func fail(_ error: DownloadError) {
        rest(.failed)
        self.error = error
        receivedBytes = 0
    }

    /// Ends it with the content in its place.
    mutating func finish(at path: String, size: Int64) {
        rest(.finished)
        self.path = path
        self.size = size
        receivedBytes = content.length
    }

    /// Makes it wait again, because its content is gone.
    mutating func lose() {
        rest(.waiting)
        path = nil
        size = 0
        receivedBytes = 0
    }

    /// Whether its content takes space on the disk, or is about to.
    var takesRoom: Bool {
        switch state {
        case .active, .paused, .finished: true
        case .waiting, .failed, .cancelled: false
        }
    }

    fileprivate mutating func run(until deadline: Date) {
        state = .active
        run += 1
        error = nil
        self.deadline = deadline
    }

    fileprivate mutating func rest(_ state: DownloadState) {
        self.state = state
        deadline = nil
    }
}
