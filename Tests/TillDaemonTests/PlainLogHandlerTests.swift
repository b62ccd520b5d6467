import Logging
import Synchronization
import Testing
@testable import TillDaemon

@Suite struct PlainLogHandlerTests {
    /// Stores the records that it receives.
    private struct Recorder: LogHandler {
        final class Records: Sendable {
            let events = Mutex<[LogEvent]>([])
        }

        let records: Records
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            records.events.withLock { $0.append(event) }
        }
    }

    @Test(arguments: [
        ("plain", "plain"),
        ("two\nlines", #"two\nlines"#),
        ("\r\u{1B}[31mred\u{7}", #"\r\u{1B}[31mred\u{07}"#),
        ("a\u{0}b\u{85}c", #"a\0b\u{0085}c"#),
        ("\u{202E}right to left\u{2028}", #"\u{202E}right to left\u{2028}"#),
        ("Grüße 🎩", "Grüße 🎩"),
        (String(repeating: "x", count: 1025), String(repeating: "x", count: 1024) + "…"),
    ])
    func aRecordIsOneLineOfPrintableText(_ text: String, _ expected: String) throws {
        let records = Recorder.Records()
        let logger = Logger(label: "test") { _ in PlainLogHandler(Recorder(records: records)) }
        logger.error("\(text)", metadata: ["text": "\(text)", "list": ["\(text)"], "inner": ["key": "\(text)"]])
        let first = records.events.withLock { $0.first }
        let event = try #require(first)
        #expect(event.message.description == expected)
        #expect(event.metadata?["text"] == .string(expected))
        #expect(event.metadata?["list"] == .array([.string(expected)]))
        #expect(event.metadata?["inner"] == .dictionary(["key": .string(expected)]))
    }
}
