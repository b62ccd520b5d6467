import FoundationEssentials
import NIOCore
import TestValues
import TillWire

@testable import TTRPC

/// What a client and a daemon have sent to each other on one connection, frame by frame, as text:
///
/// ```text
/// > STREAM TYPE FLAGS DATA # a frame of the client
/// < STREAM TYPE FLAGS DATA # a frame of the daemon
/// ! an event from outside
/// = what the client has told its application
/// ```
struct Transcript {
    enum Line: Equatable {
        case request(Frame)
        case answer(Frame)
        case event(String)
        case result(String)
    }

    var lines: [Line] = []

    init() {}

    init(_ text: String) throws {
        lines = try text.split(separator: "\n").map { line in
            let rest = String(line.dropFirst(2))
            return switch line.first {
            case ">": .request(try Frame(transcribed: rest))
            case "<": .answer(try Frame(transcribed: rest))
            case "!": .event(rest)
            case "=": .result(rest)
            default: throw Malformed(line: String(line))
            }
        }
    }

    struct Malformed: Error {
        var line: String
    }

    var text: String {
        lines.map { line in
            switch line {
            case .request(let frame):
                "> \(frame.transcribed) # \(frame.request.map { "\($0.service)/\($0.method)" } ?? "")\n"
            case .answer(let frame): "< \(frame.transcribed)\n"
            case .event(let name): "! \(name)\n"
            case .result(let text): "= \(text)\n"
            }
        }.joined()
    }

    var results: [String] {
        lines.compactMap { if case .result(let text) = $0 { text } else { nil } }
    }
}

extension Frame {
    fileprivate init(transcribed text: String) throws {
        let parts = text.split(separator: " ", maxSplits: 3).map(String.init)
        guard parts.count == 4, let stream = UInt32(parts[0]), let type = UInt8(parts[1]), let flags = UInt8(parts[2])
        else {
            throw Transcript.Malformed(line: text)
        }
        let data = ByteBuffer(bytes: [UInt8](hex: parts[3]))
        self.init(
            header: FrameHeader(
                length: UInt32(data.readableBytes),
                streamID: stream,
                type: FrameType(rawValue: type),
                flags: FrameFlags(rawValue: flags)
            ),
            data: data
        )
    }

    fileprivate var transcribed: String {
        let digits = data.readableBytesView.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\(header.streamID) \(header.type.rawValue) \(header.flags.rawValue) \(digits.isEmpty ? "-" : digits)"
    }

    /// The request in it; nil for other frames.
    var request: RequestEnvelope? {
        header.type == .request ? try? RequestEnvelope(wire: data) : nil
    }

    /// The frame with the same timeout as all others, which follows from when it was sent.
    var withoutTimeout: Frame {
        guard var request else {
            return self
        }
        request.timeout = 0
        return replacing(request.write)
    }

    /// The frame without what differs between users: the answer to Hello, the first call, has the account of the user who runs
    /// the test.
    var masked: Frame {
        get throws {
            guard header.streamID == 1, header.type == .response,
                case .success(let payload) = try ResponseEnvelope(wire: data)
            else {
                return self
            }
            var hello = try HelloResponse(wire: payload)
            hello.account = "uid:1000"
            return replacing(ResponseEnvelope.success(hello.wireBytes()).write)
        }
    }

    private func replacing(_ write: (inout ByteBuffer) -> Void) -> Frame {
        var frame = self
        frame.data = ByteBuffer()
        write(&frame.data)
        frame.header.length = UInt32(frame.data.readableBytes)
        return frame
    }
}
