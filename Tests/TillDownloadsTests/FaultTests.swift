import ContentServer
import Foundation
import Testing
import TillDownloads
import TillEngine
import TillModel

/// A server's misbehaviour, and the resulting outcome of the download.
struct ServerFault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The responses, one per request; the last one is repeated.
    var replies: [Reply]
    /// The reason of the failure; nil if the content is published.
    var reason: DownloadError.Reason?
    /// The requested ranges.
    var ranges: [String?]

    init(
        _ description: String,
        _ replies: [Reply],
        fails reason: DownloadError.Reason? = nil,
        ranges: [String?] = [nil]
    ) {
        testDescription = description
        self.replies = replies
        self.reason = reason
        self.ranges = ranges
    }

    var stalls: Bool { replies.contains { $0.stallAfter != nil } }

    static let length = 500_000
    private static let cut = Reply { $0.cutAfter = 200_000 }
    private static let rest = "bytes=200000-"
    private static let untagged = Reply {
        $0.cutAfter = 200_000
        $0.entityTag = nil
    }

    private static func wrongRange(_ text: String) -> Reply {
        Reply { $0.contentRange = text }
    }

    static let recovered = [
        ServerFault("cuts once", [cut, .good], ranges: [nil, rest]),
        ServerFault("cuts twice", [cut, cut, .good], ranges: [nil, rest, "bytes=400000-"]),
        ServerFault("cuts before the first byte", [Reply { $0.cutAfter = 0 }, .good], ranges: [nil, nil]),
        ServerFault("stalls", [Reply { $0.stallAfter = 200_000 }, .good], ranges: [nil, rest]),
        ServerFault("stalls before the first byte", [Reply { $0.stallAfter = 0 }, .good], ranges: [nil, nil]),
        ServerFault("cuts without a validator", [untagged, .good], ranges: [nil, nil]),
        ServerFault(
            "cuts with a weak validator",
            [
                Reply {
                    $0.cutAfter = 200_000; $0.entityTag = "W/\"1\""
                }, .good,
            ],
            ranges: [nil, nil]
        ),
        ServerFault("changes the validator", [cut, Reply { $0.entityTag = "\"2\"" }], ranges: [nil, rest]),
        ServerFault("ignores ranges", [cut, Reply { $0.ignoresRange = true }], ranges: [nil, rest]),
        ServerFault("answers another range", [cut, Reply { $0.rangeStart = 7 }, .good], ranges: [nil, rest, nil]),
        ServerFault(
            "says another range",
            [cut, wrongRange("bytes 1-499999/500000"), .good],
            ranges: [nil, rest, nil]
        ),
        ServerFault("says no range", [cut, wrongRange("nonsense"), .good], ranges: [nil, rest, nil]),
        ServerFault(
            "answers a range of another validator",
            [cut, Reply { $0.headers = [("etag", "\"2\"")] }, .good],
            ranges: [nil, rest, nil]
        ),
        ServerFault(
            "answers that the range is not satisfiable",
            [cut, .status(416), .good],
            ranges: [nil, rest, nil]
        ),
        ServerFault("is out of order", [.status(503), .status(500), .good], ranges: [nil, nil, nil]),
        ServerFault("is out of order in between", [cut, .status(503), .good], ranges: [nil, rest, rest]),
        ServerFault("is busy", [.status(429, [("retry-after", "7")]), .good], ranges: [nil, nil]),
        ServerFault("times out", [.status(408), .good], ranges: [nil, nil]),
        ServerFault(
            "ends early without a length",
            [
                Reply {
                    $0.isChunked = true; $0.cutAfter = 200_000
                }, .good,
            ],
            ranges: [nil, rest]
        ),
        ServerFault("sends tiny pieces", [Reply { $0.chunkBytes = 700 }]),
    ]

    static let fatal = [
        ServerFault("announces more", [Reply { $0.announcedLength = 500_001 }], fails: .length),
        ServerFault("announces less", [Reply { $0.announcedLength = 499_999 }], fails: .length),
        ServerFault(
            "sends more",
            [
                Reply {
                    $0.isChunked = true; $0.extraBytes = 1
                }
            ],
            fails: .length
        ),
        ServerFault(
            "says another total",
            [cut, Reply { $0.announcedTotal = 500_001 }],
            fails: .length,
            ranges: [nil, rest]
        ),
        ServerFault("corrupts the first byte", [Reply { $0.corruptAt = 0 }], fails: .checksum),
        ServerFault("corrupts the last byte", [Reply { $0.corruptAt = 499_999 }], fails: .checksum),
        ServerFault(
            "corrupts a byte of the rest",
            [cut, Reply { $0.corruptAt = 300_000 }],
            fails: .checksum,
            ranges: [nil, rest]
        ),
        ServerFault("has nothing there", [.status(404)], fails: .unavailable),
        ServerFault("has nothing there any more", [.status(410)], fails: .unavailable),
        ServerFault("gives it to others", [.status(403)], fails: .unavailable),
        ServerFault("requires authentication", [.status(401)], fails: .unavailable),
        ServerFault("loses it in between", [cut, .status(404)], fails: .unavailable, ranges: [nil, rest]),
        ServerFault("answers nothing", [.status(204)], fails: .unavailable),
        ServerFault("codes it", [Reply { $0.headers = [("content-encoding", "gzip")] }], fails: .unavailable),
        ServerFault(
            "redirects in a circle",
            [.redirect(to: "/content")],
            fails: .unavailable,
            ranges: Array(repeating: nil, count: 6)
        ),
        ServerFault("redirects nowhere", [.status(302)], fails: .unavailable),
        ServerFault("redirects to a file", [.redirect(to: "file:///etc/hostname")], fails: .unavailable),
    ]
}

@Suite("A server that misbehaves")
struct FaultTests {
    @Test(arguments: ServerFault.recovered)
    func theContentIsCompleteAndCorrectInTheEnd(fault: ServerFault) async throws {
        try await DownloadBench.run(configure: {
            // Short where a test waits for it, otherwise never reached.
            $0.idleTimeout = fault.stalls ? .seconds(3) : .seconds(60)
        }) { bench in
            let bytes = sampleBytes(ServerFault.length)
            bench.server.put("/content", ServedBytes(bytes), replies: fault.replies)
            bench.expectPublished(await bench.download(try bench.order(bytes)), bytes)
            bench.expect(bench.server.requests.map(\.range), fault.ranges)
            let asked = bench.server.requests.filter { $0.range != nil }
            #expect(asked.first?.ifRange == (asked.isEmpty ? nil : "\"1\""))
        }
    }

    @Test(arguments: ServerFault.fatal)
    func theDownloadFailsWithTheReasonAndLeavesNoFiles(fault: ServerFault) async throws {
        try await DownloadBench.run { bench in
            let bytes = sampleBytes(ServerFault.length)
            bench.server.put("/content", ServedBytes(bytes), replies: fault.replies)
            bench.expectFailed(await bench.download(try bench.order(bytes)), try #require(fault.reason))
            // A failed download is not retried.
            bench.expect(bench.server.requests.map(\.range), fault.ranges)
        }
    }

    @Test
    func contentThatWasReplacedByTheCorrectOneIsComplete() async throws {
        try await DownloadBench.run(clock: TestClock(step: .milliseconds(100))) { bench in
            let old = sampleBytes(ServerFault.length, seed: 1)
            let new = sampleBytes(ServerFault.length, seed: 2)
            let order = try bench.order(new)
            bench.server.put(
                "/content",
                ServedBytes(old),
                Reply {
                    $0.stallAfter = 200_000; $0.entityTag = "\"old\""
                }
            )
            guard case .stopped = await bench.download(order, stoppingAt: 1) else {
                Issue.record("The download was to stop.")
                return
            }
            bench.server.put("/content", ServedBytes(new), Reply { $0.entityTag = "\"new\"" })
            bench.expectPublished(await bench.download(order), new)
        }
    }

    @Test
    func aMissingServerIsRetriedUntilTheTaskIsCancelled() async throws {
        let (sleeps, slept) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let clock = TestClock { if $0 == 9 { slept.finish() } }
        try await DownloadBench.run(clock: clock) { bench in
            let bytes = sampleBytes(10)
            let order = try bench.order(bytes, address: "http://127.0.0.1:1/content")
            async let outcome = withTaskGroup(of: DownloadOutcome?.self) { group in
                group.addTask { await bench.download(order) }
                for await _ in sleeps {}
                group.cancelAll()
                return await group.next().flatMap { $0 }
            }
            #expect(await outcome == .stopped(receivedBytes: 0))
            #expect(Array(clock.sleeps.prefix(9)) == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { Duration.seconds($0) })
        }
    }

    @Test(arguments: [
        ("0", 1), ("7", 7), ("60", 60), ("3600", 60), ("99999999999999999999", 1), ("soon", 1), ("-5", 1),
    ])
    func theServersWishToWaitIsRespectedUpToAMinute(text: String, seconds: Int) async throws {
        try await DownloadBench.run { bench in
            let bytes = sampleBytes(10)
            bench.server.put("/content", ServedBytes(bytes), .status(429, [("retry-after", text)]), .good)
            bench.expectPublished(await bench.download(try bench.order(bytes)), bytes)
            #expect(bench.clock.sleeps == [.seconds(seconds)])
        }
    }

    @Test
    func receivedBytesResetTheBackoff() async throws {
        try await DownloadBench.run { bench in
            let bytes = sampleBytes(300)
            let cut = Reply { $0.cutAfter = 100 }
            bench.server.put("/content", ServedBytes(bytes), .status(500), .status(500), cut, .status(500), .good)
            bench.expectPublished(await bench.download(try bench.order(bytes)), bytes)
            #expect(bench.clock.sleeps == [1, 2, 1, 2].map { .seconds($0) })
        }
    }

    @Test(arguments: ["ftp://127.0.0.1/x", "http:///x", "data:,x", "content"])
    func addressesThatCannotBeFetchedFail(address: String) async throws {
        try await DownloadBench.run { bench in
            bench.expectFailed(await bench.download(try bench.order([1], address: address)), .unavailable)
        }
    }

    @Test
    func filesThatAreNotTheContentFail() async throws {
        try await DownloadBench.run { bench in
            let bytes = sampleBytes(1000)
            try bench.directory.write("file", bytes)
            let file = URL(filePath: bench.directory.path("file")).absoluteString
            let cases: [(String, Int, [UInt8], DownloadError.Reason)] = [
                (file, 999, bytes, .length), (file, 1001, bytes, .length), (file, 1000, [1], .checksum),
                (file + "x", 1000, bytes, .unavailable), ("file:///dev/zero", 1000, bytes, .unavailable),
                (URL(filePath: bench.directory.path).absoluteString, 1000, bytes, .unavailable),
            ]
            for (address, length, content, reason) in cases {
                let order = try bench.order(content, address: address, length: length)
                bench.expectFailed(await bench.download(order), reason, "\(address) \(length)")
            }
        }
    }
}
