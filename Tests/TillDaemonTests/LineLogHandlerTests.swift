import Foundation
import Glibc
import Logging
import Synchronization
import Testing
@testable import TillDaemon

@Suite struct LineLogHandlerTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func append(_ line: String) {
            lines.withLock { $0.append(line) }
        }

        var first: String? {
            lines.withLock { $0.first }
        }
    }

    /// The line that a record becomes.
    private static func line(
        _ format: LogFormat,
        isJournal: Bool,
        level: Logger.Level = .warning,
        metadata: Logger.Metadata = ["b": "two words", "a.id": "1"]
    ) throws -> String {
        let lines = Lines()
        let logger = Logger(label: "tilld") { label in
            LineLogHandler(label: label, format: format, isJournal: isJournal) {
                Date(timeIntervalSince1970: 1_793_521_800.25)
            } write: {
                lines.append($0)
            }
        }
        logger.log(level: max(level, .info), "A disk is slow", metadata: metadata)
        return try #require(lines.first)
    }

    @Test(arguments: [
        (LogFormat.text, false, #"2026-11-01T08:30:00.250Z warning tilld: A disk is slow a.id=1 b="two words""#),
        (.text, true, #"<4>A disk is slow a.id=1 b="two words""#),
        (
            .json, false,
            #"{"level":"warning","logger":"tilld","message":"A disk is slow","metadata":{"a.id":"1","b":"two words"},"#
                + #""time":"2026-11-01T08:30:00.250Z"}"#
        ),
        (
            .json, true,
            #"<4>{"level":"warning","logger":"tilld","message":"A disk is slow","metadata":{"a.id":"1","b":"two words"},"#
                + #""time":"2026-11-01T08:30:00.250Z"}"#
        ),
    ])
    func aRecordIsOneLine(format: LogFormat, isJournal: Bool, expected: String) throws {
        #expect(try Self.line(format, isJournal: isJournal) == expected)
    }

    @Test(arguments: zip(Logger.Level.allCases, [7, 7, 6, 5, 4, 3, 2]))
    func levelsArePrioritiesOfSyslog(level: Logger.Level, priority: Int) {
        #expect(level.priority == priority)
    }

    @Test func listsAndObjectsStayThemselvesInJSON() throws {
        let metadata: Logger.Metadata = ["list": ["a", "b"], "inner": ["key": "\"quoted\""]]
        let line = try Self.line(.json, isJournal: false, metadata: metadata)
        #expect(line.contains(#""metadata":{"inner":{"key":"\"quoted\""},"list":["a","b"]}"#), "\(line)")
        #expect(try Self.line(.json, isJournal: false, metadata: [:]).contains("metadata") == false)
    }

    /// A daemon that another service starts with a redirected output inherits the variable.
    @Test func onlyTheStreamThatSystemdNamesIsTheJournal() throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
        var status = stat()
        #expect(unsafe fstat(file.fileDescriptor, &status) == 0)
        let own = "\(status.st_dev):\(status.st_ino)"
        for (stream, isJournal) in [(own, true), ("\(own)0", false), ("", false), ("x:y", false), (nil, false)] {
            let environment = stream.map { ["JOURNAL_STREAM": $0] } ?? [:]
            let found = LineLogHandler.isJournal(environment, descriptor: file.fileDescriptor)
            #expect(found == isJournal, "\(stream ?? "-")")
        }
        #expect(!LineLogHandler.isJournal(["JOURNAL_STREAM": own], descriptor: -1))
    }
}
