import ContentServer
import Foundation
import ProcessTesting
import Testing
import TillModel

/// Purchased content is downloaded completely and correctly, even if the daemon is killed or the server misbehaves.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DownloadScenarios {
    private static let length = 6 << 20

    @Test func aDownloadIsWholeAfterTheDaemonWasKilledAtRandomBytes() async throws {
        let content = Self.content(Self.length)
        try await Self.shop(content, Self.slow(20)) { shop, server in
            try await shop.buy(Notes.pro)
            try await shop.till("downloads", "start", "--all")
            var kills = 0
            var random = SystemRandomNumberGenerator()
            var download = try await Self.download(shop)
            while download.state == "active", kills < 40 {
                // The daemon is killed at a random byte of the next tenth.
                let goal = download.receivedBytes + Int.random(in: 1...Self.length / 10, using: &random)
                try await shop.until("the download does not progress", within: .seconds(120)) {
                    download = try await Self.download(shop)
                    return download.state != "active" || download.receivedBytes >= goal
                }
                if download.state == "active" {
                    try await shop.daemon.kill()
                    kills += 1
                    try await shop.daemon.start()
                    download = try await Self.download(shop)
                }
            }
            #expect(kills >= 5, "the download ended after \(kills) kills")
            try await Self.expectWhole(shop, content)
            #expect(server.requests.contains { $0.range != nil }, "the download restarted from the beginning each time")
        }
    }

    @Test(
        arguments: [
            ("the connection is cut", [Reply { $0.cutAfter = 1 << 20 }, .good], "finished", nil),
            ("the server is busy", [.status(503), .status(429, [("retry-after", "0")]), .good], "finished", nil),
            (
                "another version follows", [Reply { $0.cutAfter = 1 << 20 }, Reply { $0.entityTag = "\"2\"" }],
                "finished", nil
            ),
            (
                "ranges are ignored", [Reply { $0.cutAfter = 1 << 20 }, Reply { $0.ignoresRange = true }], "finished",
                nil
            ),
            ("a byte is wrong", [Reply { $0.corruptAt = 3 << 20 }], "failed", "checksum"),
            ("it is longer than announced", [Self.longer], "failed", "length"),
            ("it is missing", [.status(404)], "failed", "unavailable"),
            ("it is redirected without an end", [.redirect(to: "/content")], "failed", "unavailable"),
        ] as [(String, [Reply], String, String?)]
    )
    func aMisbehavingServerCausesNoWrongContent(
        _ name: String,
        _ replies: [Reply],
        _ state: String,
        _ reason: String?
    ) async throws {
        let content = Self.content(Self.length)
        try await Self.shop(content, replies) { shop, _ in
            try await shop.buy(Notes.pro)
            let lines: [DownloadLine] = try await shop.till(
                "downloads",
                "start",
                "--all",
                "--wait",
                exits: state == "finished" ? 0 : 1
            ).all()
            #expect(lines.last?.state == state)
            #expect(lines.last?.reason == reason)
            if state == "finished" {
                try await Self.expectWhole(shop, content)
            } else {
                #expect(Self.contentFiles(of: shop).isEmpty)
            }
        }
    }

    @Test func finishingRemovesTheContent() async throws {
        let content = Self.content(1 << 20)
        try await Self.shop(content, .good) { shop, _ in
            let bought = try await shop.buy(Notes.pro)
            try await shop.till("downloads", "start", "--all", "--wait")
            try await Self.expectWhole(shop, content)
            try await shop.till("finish", bought.id)
            #expect(try await shop.till("downloads").all(DownloadLine.self).isEmpty)
            try await shop.until("the files are not removed") { Self.contentFiles(of: shop).isEmpty }
        }
    }

    @Test func missingContentCanBeDownloadedAgain() async throws {
        let content = Self.content(1 << 20)
        try await Self.shop(content, .good) { shop, server in
            try await shop.buy(Notes.pro)
            try await shop.till("downloads", "start", "--all", "--wait")
            try await Self.expectWhole(shop, content)
            try await shop.daemon.stop()
            try FileManager.default.removeItem(atPath: "\(shop.site.state)/content")
            try await shop.daemon.start()
            try await shop.until("the download stays finished") { try await Self.download(shop).state == "waiting" }
            #expect(try await Self.download(shop).path == nil)
            try await shop.till("downloads", "start", "--all", "--wait")
            try await Self.expectWhole(shop, content)
            #expect(server.requests.count == 2)
        }
    }

    @Test func aPausedDownloadStaysPausedAcrossAKill() async throws {
        let content = Self.content(Self.length)
        try await Self.shop(content, Self.slow(20)) { shop, _ in
            try await shop.buy(Notes.pro)
            try await shop.till("downloads", "start", "--all")
            try await shop.until("no bytes arrive") { try await Self.download(shop).receivedBytes > 0 }
            try await shop.till("downloads", "pause", "--all")
            let paused = try await Self.download(shop)
            #expect(paused.state == "paused")
            try await shop.daemon.kill()
            try await shop.daemon.start()
            #expect(try await Self.download(shop) == paused)
            try await shop.till("downloads", "cancel", "--all")
            #expect(try await Self.download(shop).state == "cancelled")
            try await shop.until("the partial file is not removed") { Self.contentFiles(of: shop).isEmpty }
        }
    }

    private static func slow(_ milliseconds: Int64) -> Reply {
        Reply {
            $0.pauseMilliseconds = milliseconds
            $0.chunkBytes = 16 << 10
        }
    }

    private static let longer = Reply {
        $0.extraBytes = 1
        $0.announcedLength = length + 1
    }

    /// A shop that hosts the content for `pro` on its own server.
    private static func shop(
        _ content: [UInt8],
        _ replies: Reply...,
        body: (Shop, ContentServer) async throws -> Void
    ) async throws {
        try await shop(content, replies, body: body)
    }

    private static func shop(
        _ content: [UInt8],
        _ replies: [Reply],
        body: (Shop, ContentServer) async throws -> Void
    ) async throws {
        let server = try await ContentServer()
        server.put("/content", ServedBytes(content), replies: replies)
        let outcome: Result<Void, any Error>
        do {
            try await Shop.open(
                prepare: { try $0.host(content, ofProduct: Notes.pro, at: server.address("/content")) }
            ) { shop in
                try await body(shop, server)
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await server.shutDown()
        try outcome.get()
    }

    private static func content(_ length: Int) -> [UInt8] {
        var state: UInt64 = 7
        return (0..<length).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    private static func download(_ shop: Shop) async throws -> DownloadLine {
        try #require(try await shop.till("downloads").all(DownloadLine.self).first)
    }

    private static func expectWhole(_ shop: Shop, _ content: [UInt8]) async throws {
        let download = try await download(shop)
        #expect(download.state == "finished")
        let path = try #require(download.path)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(content), "the content is wrong")
    }

    private static func contentFiles(of shop: Shop) -> [String] {
        Site.contentFiles(inState: shop.site.state)
    }
}
