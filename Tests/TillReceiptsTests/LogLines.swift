import Logging
import NIOConcurrencyHelpers

/// A logger whose lines a test can count.
struct LogLines {
    private let levels = NIOLockedValueBox<[Logger.Level]>([])

    var logger: Logger {
        Logger(label: "test") { _ in Handler(levels: levels) }
    }

    func count(_ level: Logger.Level) -> Int {
        levels.withLockedValue { levels in levels.count { $0 == level } }
    }

    private struct Handler: LogHandler {
        let levels: NIOLockedValueBox<[Logger.Level]>
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            levels.withLockedValue { $0.append(event.level) }
        }
    }
}
