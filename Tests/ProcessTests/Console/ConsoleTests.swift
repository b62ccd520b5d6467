import FaultRuns
import Foundation
import Glibc
import NIOCore
import NIOPosix
import ProcessTesting
import Testing
import TillClient
import TillHTTP
import TillModel

/// The operator page of a real daemon.
@Suite(.timeLimit(.minutes(5))) struct ConsoleTests {
    private static func with(
        _ options: [String] = [],
        _ body: (Site, ChildProcess) async throws -> Void
    ) async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon(
                ["--console-address", "127.0.0.1:\(try await LoopbackPort.free())"] + options
            )
            try await body(site, daemon)
        }
    }

    /// Buys for a hostile user, and returns the transaction once it is final.
    private static func buy(at site: Site, username: String? = nil, awaits: Bool = true) async throws -> UUID {
        let queue = site.queue()
        let payment = Payment(productID: TestStore.coins, applicationUsername: username)
        _ = try await queue.add(payment)
        let store = TillOperator(site.queue().configuration)
        while awaits, try await !store.explanation(ofTransaction: payment.id).transaction.state.isFinal {
            await Alarm.after(.milliseconds(10))
        }
        await store.close()
        await queue.close()
        return payment.id
    }

    @Test func whatClientsSendIsShownAsText() async throws {
        try await Self.with { site, _ in
            let page = try await ConsoleClient(site)
            let id = try await Self.buy(at: site, username: "<script>alert('x')</script>")
            let list = try await page.get("/view/transactions?product=\(TestStore.coins)")
            #expect(list.text.contains("#/transaction?id=\(id.uuidString.lowercased())"), "\(list.text)")
            let shown = try await page.get("/view/transaction?id=\(id.uuidString)")
            #expect(shown.text.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"), "\(shown.text)")
            #expect(!shown.text.contains("<script"))
            #expect(shown.text.contains("purchased"))
            let overview = try await page.get("/view/overview")
            #expect(overview.text.contains("takes payments") && overview.text.contains(TestStore.coins))
        }
    }

    /// The preview says what the refund does then, and the audit log says who did it and why.
    @Test func aRefundIsPreviewedMadeAndRecorded() async throws {
        try await Self.with { site, _ in
            let page = try await ConsoleClient(site)
            let id = try await Self.buy(at: site)
            let fields = ["id": id.uuidString, "quantity": "0", "cause": "other", "reason": "asked <nicely>"]
            let preview = try await page.act("refund-preview", fields)
            #expect(preview.contains("quantity of 1") && preview.contains("gives back"), "\(preview)")
            let store = TillOperator(site.queue().configuration)
            #expect(try await store.explanation(ofTransaction: id).refunds.isEmpty)
            #expect(try await page.act("refund", fields).contains("succeeded"))
            #expect(try await store.explanation(ofTransaction: id).transaction.revocation?.quantity == 1)
            var links: [AuditLink] = []
            for try await link in store.auditLog() {
                links.append(link)
            }
            await store.close()
            #expect(links.map(\.action) == ["Refund"])
            #expect(links.first?.uid == geteuid() && links.first?.reason == "asked <nicely>")
            #expect(try await page.get("/view/audit").text.contains("asked &lt;nicely&gt;"))
            #expect(try await page.act("verify-audit", [:]).contains("1 entry intact"))
            #expect(try await page.act("reconcile", [:]).contains("agree"))
            let again = try await page.post("/action/refund", fields)
            #expect(again.status == 409 && again.text.contains("nothing left"), "\(again.text)")
        }
    }

    @Test(arguments: [true, false])
    func aRequestIsAnsweredOnThePage(approves: Bool) async throws {
        try await Self.with(["--setting", "ask-to-buy=true"]) { site, _ in
            let page = try await ConsoleClient(site)
            let id = try await Self.buy(at: site, awaits: false)
            let text = try await page.get("/view/requests").text
            #expect(text.contains("Ask to Buy") && text.contains("data-action=\"answer\""), "\(text)")
            _ = try await page.act(
                "answer",
                ["id": id.uuidString, "kind": "approval", "approves": "\(approves)", "reason": "pocket money"]
            )
            let store = TillOperator(site.queue().configuration)
            let state = try await store.explanation(ofTransaction: id).transaction.state
            await store.close()
            #expect(state == (approves ? .purchased : .failed))
            #expect(try await page.get("/view/requests").text.contains("Nobody waits."))
        }
    }

    @Test func theStoreIsControlled() async throws {
        try await Self.with { site, _ in
            let page = try await ConsoleClient(site)
            #expect(try await page.get("/view/store").text.contains("ask-to-buy"))
            _ = try await page.act("change-setting", ["name": "ask-to-buy", "value": "true", "reason": "r"])
            _ = try await page.act("advance-clock", ["amount": "2", "unit": "days", "reason": "r"])
            let store = TillOperator(site.queue().configuration)
            #expect(try await store.settings().contains { $0.name == "ask-to-buy" && $0.value == "true" })
            #expect(try await store.clock().offset == .seconds(2 * 86_400))
            await store.close()
        }
    }

    /// An operator buys for an account, whose queue then has the purchase; sales and applications show it.
    @Test func aPurchaseForAnAccountIsShownAmongSalesAndApplications() async throws {
        try await Self.with { site, _ in
            let page = try await ConsoleClient(site)
            #expect(try await page.get("/view/sales").text.contains("Nothing was sold."))
            #expect(try await page.get("/view/applications").text.contains("No application has used its queue yet."))
            let order = [
                "product": TestStore.coins, "quantity": "2", "application": "org.example.elsewhere",
                "account": "uid:4711", "reason": "sold at the counter",
            ]
            #expect(try await page.act("buy", order).contains("was added"))
            #expect(try await page.act("buy", order).contains("was added"), "each form is another purchase")
            let store = TillOperator(site.queue().configuration)
            var bought: [OperatorTransaction] = []
            repeat {
                bought = []
                for try await found in store.transactions(matching: TransactionFilter(state: .purchased)) {
                    bought.append(found)
                }
            } while bought.count < 2
            #expect(Set(bought.map(\.account)) == ["uid:4711"])
            let first = try #require(bought.first)
            #expect(first.application == "org.example.elsewhere" && first.transaction.payment.quantity == 2)
            _ = try await page.act(
                "refund",
                ["id": first.transaction.id.uuidString, "quantity": "0", "cause": "other", "reason": "r"]
            )
            await store.close()
            // The page may show sales that are a second old.
            var sales = ""
            repeat { sales = try await page.get("/view/sales").text } while !sales.contains(" given back<")
            #expect(sales.contains("2 purchases") && sales.contains("<rect"), "\(sales)")
            let list = try await page.get("/view/applications").text
            let link = "queue?application=org.example.elsewhere&amp;account=uid:4711"
            #expect(list.contains("#/\(link)"), "\(list)")
            let queue = try await page.get("/view/queue?application=org.example.elsewhere&account=uid:4711").text
            #expect(queue.contains("The account never had a subscription."), "\(queue)")
            #expect(try await page.get("/view/queue").status == 400)
            #expect(try await Self.auditCount(site) == 3)
        }
    }

    @Test func aPurchaseIsAnEvent() async throws {
        try await Self.with { site, _ in
            let page = try await ConsoleClient(site)
            let events = try await page.events()
            #expect(events.headers["content-type"] == ["text/event-stream"])
            let first = try #require(try await events.body.next())
            #expect(String(buffer: first).hasPrefix("data: "))
            _ = try await Self.buy(at: site)
            let second = try #require(try await events.body.next())
            #expect(String(buffer: second).hasPrefix("data: ") && second != first)
        }
    }

    @Test func aReadOnlyPageChangesNothing() async throws {
        try await Self.with { site, _ in
            let page = try await ConsoleClient(site, readOnly: true)
            let id = try await Self.buy(at: site)
            #expect(try await page.get("/view/transaction?id=\(id.uuidString)").status == 200)
            let refused = try await page.post("/action/refund", ["id": id.uuidString, "quantity": "0", "reason": "r"])
            #expect(refused.status == 403)
            #expect(try await Self.auditCount(site) == 0)
        }
    }

    private static func auditCount(_ site: Site) async throws -> Int {
        let store = TillOperator(site.queue().configuration)
        var count = 0
        for try await _ in store.auditLog() {
            count += 1
        }
        await store.close()
        return count
    }

    /// The same rules as in the table of RequestGuardTests, over the network.
    @Test(arguments: [
        [("Host", "till.example:80")], [("Origin", "https://example.org")], [("Origin", "null")],
        [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")], [("Content-Type", "text/plain")],
        [("Authorization", "Bearer x")],
    ])
    func aForeignRequestHasNoEffect(headers: [(String, String)]) async throws {
        try await Self.with { site, _ in
            let page = try await ConsoleClient(site)
            let id = try await Self.buy(at: site)
            let fields = ["id": id.uuidString, "quantity": "0", "cause": "other", "reason": "r"]
            let refused = try await page.post("/action/refund", fields, headers)
            #expect(refused.status == 403, "\(refused.text)")
            #expect(try await Self.auditCount(site) == 0)
        }
    }

    @Test func nothingIsShownWithoutASession() async throws {
        try await Self.with { site, _ in
            var page = try await ConsoleClient(site)
            #expect(try await page.post("/sign-out", [:]).status == 200)
            for path in ["/view/overview", "/view/transactions", "/view/audit", "/events"] {
                #expect(try await page.get(path).status == 403)
            }
            page.session = nil
            #expect(try await page.get("/view/overview").status == 403)
            #expect(try await page.post("/session", ["invitation": "x"]).status == 403)
            #expect(try await page.get("/").status == 200)
            #expect(try await page.get("/readyz").status == 200)
            let metrics = try await page.get("/metrics").text
            #expect(metrics.contains("# TYPE till_commit_commands histogram"), "\(metrics)")
            #expect(try await page.get("/etc/passwd").status == 404)
        }
    }

    @Test(arguments: ["/", "/console.css", "/console.js", "/healthz", "/view/overview", "/nothing"])
    func noOtherSiteMayUseAnAnswer(path: String) async throws {
        try await Self.with { site, _ in
            let headers = try await ConsoleClient(site).get(path).headers
            let policy = try #require(headers["content-security-policy"].first)
            for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"] {
                #expect(policy.contains(part))
            }
            #expect(headers["x-content-type-options"] == ["nosniff"])
            #expect(headers["cache-control"] == ["no-store"])
            #expect(headers["cross-origin-resource-policy"] == ["same-origin"])
            #expect(headers["referrer-policy"] == ["no-referrer"])
            #expect(headers["access-control-allow-origin"].isEmpty)
        }
    }

    @Test func wrongFieldsAreNamed() async throws {
        try await Self.with { site, _ in
            let page = try await ConsoleClient(site)
            let id = try await Self.buy(at: site).uuidString
            let wrong: [(String, [String: String], String)] = [
                ("refund", ["id": id, "quantity": "0", "cause": "other"], "reason"),
                ("refund", ["id": "7", "quantity": "0", "cause": "other", "reason": "r"], "36 characters"),
                ("refund", ["id": id, "quantity": "-1", "cause": "other", "reason": "r"], "quantity"),
                ("refund", ["id": id, "quantity": "1", "cause": "theft", "reason": "r"], "cause"),
                ("resolve", ["id": id, "review": "maybe", "reason": "r"], "review"),
                ("advance-clock", ["amount": "1", "unit": "years", "reason": "r"], "unit"),
                ("change-setting", ["name": "colour", "value": "1", "reason": "r"], "Unknown setting"),
                ("promote", ["application": "", "account": "a", "product": "p", "reason": "r"], "application"),
            ]
            for (action, fields, name) in wrong {
                let answer = try await page.post("/action/\(action)", fields)
                #expect(answer.status == 400 && answer.text.contains(name), "\(action): \(answer.text)")
            }
            #expect(try await page.post("/action/delete", ["reason": "r"]).status == 404)
            #expect(try await page.get("/view/transactions?state=lost").status == 400)
            #expect(try await page.get("/view/transactions?page=x").status == 400)
            #expect(try await page.get("/view/nothing").status == 404)
            for body in ["", "[]", "{\"id\":1}", String(repeating: "[", count: 10_000)] {
                #expect(try await page.post("/action/refund", body: Array(body.utf8)).status == 400)
            }
            let large = [UInt8](repeating: 0x20, count: 65 << 10)
            #expect(try await page.post("/action/refund", body: large).status == 400)
            #expect(try await page.get("/view/overview").status == 200)
        }
    }

    /// Peers that open connections and send nothing, or a head without an end, keep nobody out for long.
    @Test func silentPeersAreClosed() async throws {
        try await Self.with { site, _ in
            let page = try await ConsoleClient(site)
            let port = try #require(page.address.split(separator: ":").last.flatMap { Int($0) })
            let group = MultiThreadedEventLoopGroup.singleton
            for number in 0..<20 {
                let channel = try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: port).get()
                if number.isMultiple(of: 2) {
                    try await channel.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: ")).get()
                }
            }
            #expect(try await page.get("/view/overview").status == 200)
        }
    }

    @Test func withoutTheKeyThereIsNoPage() async throws {
        try await Site.with { site in
            _ = try await site.startServingDaemon()
            let store = TillOperator(site.queue().configuration)
            let error = await #expect(throws: TillError.self) { try await store.openConsole() }
            #expect(error?.code == .failedPrecondition && error?.message.contains("--console-address") == true)
            await store.close()
        }
    }

    /// Every user can read the arguments of the program that opens pages. So it gets a file that only its owner can read,
    /// and that leads to the page.
    @Test(arguments: [true, false])
    func thePageIsOpenedByAFileOfTheUserAlone(opens: Bool) async throws {
        try await Self.with { site, _ in
            let opened = site.path("opened")
            let opener = site.path("xdg-open")
            try "#!/bin/sh\nprintf %s \"$1\" >\(opened).new && mv \(opened).new \(opened)\n"
                .write(toFile: opener, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
            let till = try site.start(
                "till",
                Binaries.command,
                ["console", "--socket", site.socket] + (opens ? ["--open"] : []),
                log: "till.log",
                environment: ["PATH": "\(site.directory):/usr/bin:/bin", "XDG_RUNTIME_DIR": site.directory]
            )
            #expect(await till.exit() == .status(0))
            let url = try String(contentsOfFile: site.path("till.log"), encoding: .utf8)
                .trimmingCharacters(in: .newlines)
            #expect(url.hasPrefix("http://127.0.0.1:") && url.contains("/#invitation="), "\(url)")
            let file = site.path("till-console.html")
            guard opens else {
                return #expect(!FileManager.default.fileExists(atPath: file))
            }
            while !FileManager.default.fileExists(atPath: opened) {
                await Alarm.after(.milliseconds(10))
            }
            #expect(try String(contentsOfFile: opened, encoding: .utf8) == "file://\(file)")
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("url=\(url)\""))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func aSocketIsServedAndRemoved() async throws {
        try await Site.with { site in
            let socket = site.path("console.sock")
            let daemon = try await site.startServingDaemon(["--console-address", "unix:\(socket)"])
            let store = TillOperator(site.queue().configuration)
            let invitation = try await store.openConsole()
            await store.close()
            #expect(invitation.address == "unix:\(socket)" && invitation.url == nil)
            #expect(FileManager.default.fileExists(atPath: socket))
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
            #expect(!FileManager.default.fileExists(atPath: socket))
        }
    }

    /// A daemon with an open page, and an open stream of events, stops at once.
    @Test func openConnectionsDoNotDelayTheEnd() async throws {
        try await Self.with { site, daemon in
            let page = try await ConsoleClient(site)
            let events = try await page.events()
            _ = try await events.body.next()
            daemon.signal(SIGTERM)
            #expect(await daemon.exit() == .status(0))
        }
    }

    @Test func anAddressInUseIsRefused() async throws {
        try await Site.with { site in
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(channel.localAddress?.port)
            let daemon = try site.startDaemon(["--console-address", "127.0.0.1:\(port)"])
            #expect(await daemon.exit() == .status(EX_CANTCREAT))
            #expect(try site.log().contains("Cannot serve the operator page"))
            try await channel.close().get()
        }
    }
}
