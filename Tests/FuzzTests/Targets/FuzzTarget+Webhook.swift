import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import TillCrypto
import TillEngine
import TillModel

@testable import TillStripe

extension FuzzTarget {
    /// A webhook: with an even first byte, the lines of its signature headers, an empty line and its body; with an odd one,
    /// the bytes of its connection, in pieces whose length the second byte sets. Each `@` stands for the right signature
    /// of the body, in a connection of an empty one.
    static let webhook = FuzzTarget("webhook") { input in
        guard input.count > 2 else { return }
        if input[0].isMultiple(of: 2) {
            verify(input.dropFirst())
        } else {
            connect(input.dropFirst(2), pace: Int(input[1]) + 1)
        }
    }

    private static let now: Int64 = 1_800_000_000
    private static let secret = Array("whsec_fuzz".utf8)
    private static let at = UInt8(ascii: "@")

    private static var secrets: WebhookSecrets? {
        var bytes = secret
        return try? WebhookSecrets(Secret(moving: &bytes))
    }

    private static func verify(_ input: ArraySlice<UInt8>) {
        guard let secrets else { return promise(false, "the secret can be read") }
        var lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        let headers = lines.prefix { !$0.isEmpty }
        lines = lines.dropFirst(headers.count + 1)
        let body = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        let signed = headers.map { String(decoding: withSignature($0, of: body), as: UTF8.self) }
        let verdict = WebhookSignature.verdict(signed, body: body, secrets: secrets, now: now)
        promise(
            verdict != .genuine || headers.count == 1 && headers[0].contains(at) && signed[0].contains("t=\(now)"),
            "a webhook is genuine only with the right signature"
        )
        promise(
            WebhookSignature.verdict(
                ["t=\(now),v1=\(code(of: body).hexadecimal)"],
                body: body,
                secrets: secrets,
                now: now
            )
                == .genuine,
            "a webhook with the right signature is genuine"
        )
    }

    private static func connect(_ input: ArraySlice<UInt8>, pace: Int) {
        guard let secrets else { return promise(false, "the secret can be read") }
        let rings = NIOLockedValueBox(0)
        let listener = WebhookListener(
            WebhookListener.Configuration(secrets: secrets, ring: { rings.withLockedValue { $0 += 1 } }),
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() },
            time: FixedTime()
        )
        let channel = EmbeddedChannel()
        guard (try? WebhookConnection.configure(channel, listener.connection())) != nil,
            (try? channel.connect(to: SocketAddress(unixDomainSocketPath: "/fuzz")).wait()) != nil
        else { return promise(false, "a connection begins") }
        var bytes = ByteBuffer(bytes: withSignature(input, of: []))
        while channel.isActive, let piece = bytes.readSlice(length: min(pace, bytes.readableBytes)),
            piece.readableBytes > 0
        {
            _ = try? channel.writeInbound(piece)
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(12))
        var answer = ""
        while let part = try? channel.readOutbound(as: ByteBuffer.self) {
            answer += String(buffer: part)
        }
        let (count, refusals) = (rings.withLockedValue(\.self), listener.refusals.values.reduce(0, +))
        promise(count + refusals == 1, "a connection has one request, which is genuine or refused")
        promise(answer.hasPrefix("HTTP/1.1 200 ") == (count == 1), "a genuine webhook is answered with 200")
        promise(answer.ranges(of: "HTTP/1.1 ").count == 1, "a request has one answer")
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    private static func withSignature(_ text: ArraySlice<UInt8>, of body: [UInt8]) -> [UInt8] {
        let signature = text.contains(at) ? Array(code(of: body).hexadecimal.utf8) : []
        return text.flatMap { $0 == at ? signature : [$0] }
    }

    /// HMAC-SHA256 (RFC 2104), apart from the one that is tested.
    private static func code(of body: [UInt8]) -> [UInt8] {
        let key = secret + [UInt8](repeating: 0, count: 64 - secret.count)
        let inner = SHA256Digest(of: key.map { $0 ^ 0x36 } + Array("\(now).".utf8) + body).bytes
        return SHA256Digest(of: key.map { $0 ^ 0x5c } + inner).bytes
    }

    private struct FixedTime: TimeSource {
        func now() -> Date { Date(timeIntervalSince1970: TimeInterval(FuzzTarget.now)) }
        func sleep(for duration: Duration) async throws {}
    }
}
