import Foundation
import ProcessTesting
import StripeStandIn
import Testing

/// The book survives the process.
@Suite struct BookTests {
    @Test func aKilledProcessContinuesWithTheSameState() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "till-stripe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, client) = try await Self.start(folder)
        let intent = await client.prepare()
        let paid = await client.pay("pm_card_visa", key: "1")
        _ = await client.post("/control/fault", ["kind": "hang", "moment": "after"])
        let lost = try await client.startPost("/v1/payment_intents/\(intent)/confirm", [:], key: "2")
        while await client.post("/control/movements").json.array.count < 2 {}
        await first.killNow()
        _ = try? await lost.wait()

        let (second, other) = try await Self.start(folder)
        #expect(await other.get("/v1/payment_intents/\(intent)").json["status"].string == "succeeded")
        let replayed = await other.pay("pm_card_visa", key: "1")
        #expect(replayed.isReplayed && replayed.body == paid.body)
        #expect(await other.post("/v1/payment_intents/\(intent)/confirm", [:], key: "2").isReplayed)
        #expect(await other.post("/v1/payment_intents/\(intent)/confirm", [:], key: "3").status == 400)
        let moved = await other.post("/control/movements").json.array.map { $0["intent"].string }
        #expect(moved == [paid.id, intent])
        let logged = await other.post("/control/requests").json.array.map { $0["replayed"].bool }
        #expect(logged == [false, false, false, false, true, true, false])
        await second.killNow()
    }

    @Test(arguments: ["before", "after"])
    func aProcessKillsItselfBeforeOrAfterTheEffect(_ moment: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "till-stripe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, client) = try await Self.start(folder)
        let intent = await client.prepare()
        _ = await client.post("/control/fault", ["kind": "kill", "moment": moment])
        #expect(await client.post("/v1/payment_intents/\(intent)/confirm", [:], key: "1").status == 0)
        let exit = await first.exit()
        #expect(exit == .signal(SIGKILL))

        let (second, other) = try await Self.start(folder)
        let movements = await other.post("/control/movements").json.array
        #expect(movements.count == (moment == "after" ? 1 : 0))
        let confirmed = await other.post("/v1/payment_intents/\(intent)/confirm", [:], key: "1")
        #expect(confirmed.json["status"].string == "succeeded")
        #expect(confirmed.isReplayed == (moment == "after"))
        #expect(await other.post("/control/movements").json.array.count == 1)
        await second.killNow()
    }

    @Test func theClockAndTheListsAreReadFromTheBook() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "till-stripe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var ids: [[String]] = []
        for start in [1_800_000_000, 1] {
            let server = try await StripeStandIn(
                .init {
                    $0.settings.clockStart = start
                    $0.bookPath = folder.appending(path: "book").path
                }
            )
            let client = APIClient(port: server.port)
            if start > 1 {
                _ = await client.prepare()
                _ = await client.session()
                _ = await client.prepare()
                server.control.advance(by: .seconds(86_400))
            }
            ids.append(await client.get("/v1/payment_intents").ids)
            ids.append(await client.get("/v1/events").ids)
            #expect(server.control.now == 1_800_086_400)
            let sessions = await client.get("/v1/checkout/sessions").json["data"].array
            #expect(sessions.map { $0["status"].string } == ["expired"])
            await server.stop()
        }
        #expect(ids[0].count == 2 && ids[0] == ids[2])
        #expect(ids[1].count == 3 && ids[1] == ids[3])
    }

    private static func start(_ folder: URL) async throws -> (ChildProcess, APIClient) {
        let log = folder.appending(path: UUID().uuidString).path
        let process = try ChildProcess(
            "stand-in",
            Binaries.stripeStandIn,
            ["--book", folder.appending(path: "book").path],
            log: log
        )
        var port: Int?
        await eventually {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            port = text.firstMatch(of: /^Listening on http:\/\/127\.0\.0\.1:(\d+)\n/).flatMap { Int($0.output.1) }
            return port != nil || !process.isRunning
        }
        return (process, APIClient(port: try #require(port)))
    }
}
