import Foundation
import NIOConcurrencyHelpers
import TTRPC
import Testing
import TillClient
import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

/// Transcripts of whole connections, of the client in this repository with the daemon of the day on which they were recorded. Each
/// is played to today's daemon in place of the client, and to today's client in place of the daemon: those in use must
/// understand each other, whichever is older.
///
/// `TILL_WRITE_TRANSCRIPTS=1` records them again, which is only right before the first release, or for a new conversation.
@Suite(.timeLimit(.minutes(1))) struct TranscriptTests {
    private static let isRecording = ProcessInfo.processInfo.environment["TILL_WRITE_TRANSCRIPTS"] != nil
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recorded")

    @Test(.enabled(if: isRecording), arguments: Conversation.allCases)
    func record(_ conversation: Conversation) async throws {
        try await Self.withDaemon { daemon, charges in
            let transcript = NIOLockedValueBox(Transcript())
            let path = daemon.socketPath + "r"
            let results = try await FrameConnection.accepting(at: path) { client in
                try await Self.relay(client, toDaemonAt: daemon.socketPath, transcript)
            } while: {
                let queue = PaymentQueue(ClientConfiguration(application: DaemonHarness.application, socketPath: path))
                return try await conversation.speak(queue) { event in
                    transcript.withLockedValue { $0.lines.append(.event(event)) }
                    charges.open()
                }
            }
            transcript.withLockedValue { $0.lines += results.map(Transcript.Line.result) }
            let text = transcript.withLockedValue { $0.text }
            try text.write(to: Self.file(conversation), atomically: true, encoding: .utf8)
        }
    }

    @Test(arguments: Conversation.allCases)
    func aDaemonAnswersARecordedClientAsItDid(_ conversation: Conversation) async throws {
        let transcript = try Self.recorded(conversation)
        try await Self.withDaemon { daemon, charges in
            try await FrameConnection.connecting(to: daemon.socketPath) { connection in
                var answers = connection.frames
                for line in transcript.lines {
                    switch line {
                    case .request(let frame): try await connection.send(frame)
                    case .answer(let expected):
                        let frame = try await answers.next(onStream: expected.header.streamID)
                        #expect(try frame?.masked == expected)
                    case .event: charges.open()
                    case .result: break
                    }
                }
                #expect(answers.unread.isEmpty)
            }
        }
    }

    @Test(arguments: Conversation.allCases)
    func aClientUnderstandsARecordedDaemonAsItDid(_ conversation: Conversation) async throws {
        let transcript = try Self.recorded(conversation)
        let path = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let results = try await FrameConnection.accepting(at: path) { client in
            var requests = client.frames
            for line in transcript.lines {
                switch line {
                case .request(let expected):
                    #expect(try await requests.next()?.withoutTimeout == expected.withoutTimeout)
                case .answer(let frame): try await client.send(frame)
                case .event, .result: break
                }
            }
            // The client decides when the connection ends.
            _ = try await requests.next()
        } while: {
            let queue = PaymentQueue(ClientConfiguration(application: DaemonHarness.application, socketPath: path))
            return try await conversation.speak(queue) { _ in }
        }
        #expect(results == transcript.results)
    }

    private static func file(_ conversation: Conversation) -> URL {
        directory.appending(path: "\(conversation.rawValue).transcript")
    }

    private static func recorded(_ conversation: Conversation) throws -> Transcript {
        try Transcript(String(contentsOf: file(conversation), encoding: .utf8))
    }

    /// Runs `body` with a daemon that is the same each time: its identities, its keys and its time.
    ///
    /// - Parameter body: Takes the daemon, and the gate at which charges wait.
    private static func withDaemon(_ body: (DaemonHarness, Gate) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: directory) }
        let count = NIOLockedValueBox<UInt8>(100)
        let charges = Gate()
        try await DaemonHarness.run(
            socketPath: directory.appending(path: "s").path,
            provider: GatedProvider(charges: charges),
            ledger: MemoryLedger(id: Conversation.identity(99), numbering: .plain),
            time: VirtualTime(),
            makeID: {
                Conversation.identity(
                    count.withLockedValue { count in
                        count += 1
                        return count
                    }
                )
            }
        ) { daemon in
            try await daemon.serving { _ in try await body(daemon, charges) }
        }
    }

    /// Passes frames between a client and the daemon, and writes them down, until the client ends the connection.
    private static func relay(
        _ client: FrameConnection,
        toDaemonAt path: String,
        _ transcript: NIOLockedValueBox<Transcript>
    ) async throws {
        try await FrameConnection.connecting(to: path) { daemon in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var answers = daemon.frames
                    while let frame = try await answers.next() {
                        let masked = try frame.masked
                        transcript.withLockedValue { $0.lines.append(.answer(masked)) }
                        try await client.send(frame)
                    }
                }
                var requests = client.frames
                while let frame = try await requests.next() {
                    transcript.withLockedValue { $0.lines.append(.request(frame)) }
                    try await daemon.send(frame)
                }
                group.cancelAll()
            }
        }
    }
}
