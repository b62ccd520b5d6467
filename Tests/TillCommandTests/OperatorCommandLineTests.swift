import ArgumentParser
import FoundationEssentials
import Testing
import TillModel
import TillOutput
@testable import TillCommand

@Suite struct OperatorCommandLineTests {
    private static let id = "01a1fdd4-02c2-765c-bc47-bd581239edd8"

    private func parse<Command>(_ type: Command.Type, _ arguments: String...) throws -> Command {
        try #require(try Till.parseAsRoot(arguments) as? Command, "\(arguments)")
    }

    @Test func requestsAreAnsweredByIdentity() throws {
        let approve = try parse(ApproveVerb.self, "approve", Self.id, "--reason", "Asked.", "--json")
        #expect(approve.request.reference.text == Self.id)
        #expect(approve.reason.text == "Asked.")
        #expect(approve.common.json)
        #expect(try parse(DeclineVerb.self, "decline", "01a1").reason.text == nil)
        _ = try parse(RequestsVerb.self, "requests")
    }

    @Test func anAgentTakesItsOptions() throws {
        let agent = try parse(AgentVerb.self, "agent", "--timeout", "30", "--once")
        #expect(agent.timeout == 30)
        #expect(agent.once)
        #expect(!agent.yes && !agent.no)
        #expect(try parse(AgentVerb.self, "agent", "--yes").yes)
        #expect(try parse(AgentVerb.self, "agent", "--yes", "--open").open)
        _ = try parse(PaymentPageVerb.self, "payment-page", Self.id)
        #expect(try parse(AgentVerb.self, "agent", "--no").no)
    }

    @Test func paymentMethodsTakeTheirArguments() throws {
        _ = try parse(PaymentMethodListVerb.self, "payment-method", "list", "--json")
        #expect(try parse(PaymentMethodAddVerb.self, "payment-method", "add", "--open").page.open)
        #expect(try !parse(PaymentMethodManageVerb.self, "payment-method", "manage").page.open)
        #expect(try parse(PaymentMethodRemoveVerb.self, "payment-method", "remove", "pm_1").id == "pm_1")
        #expect(throws: (any Error).self) { try Till.parseAsRoot(["payment-method", "remove"]) }
    }

    @Test func theQueueVerbsTakeTheirArguments() throws {
        let id = try #require(UUID(uuidString: Self.id))
        #expect(try parse(CancelVerb.self, "cancel", Self.id).reference == .id(id))
        #expect(try parse(BuyVerb.self, "buy", "a", "--ask-to-buy").askToBuy)
        #expect(try parse(WatchVerb.self, "watch", "--collapse-renewals").collapseRenewals)
        #expect(try parse(FinishVerb.self, "finish", "17", "--older-renewals").olderRenewals)
        #expect(try parse(RestoreStatusVerb.self, "restore", "status", Self.id).id.uuid == id)
        #expect(try parse(RestoreCancelVerb.self, "restore", "cancel", Self.id, "--application", "a").id.uuid == id)
        #expect(try parse(RestoreVerb.self, "restore", "--username", "u").username == "u")
        _ = try parse(EntitlementsVerb.self, "entitlements")
        _ = try parse(SubscriptionsVerb.self, "subscriptions")
    }

    @Test(arguments: [
        (arguments: [], review: ReviewOutcome?.none),
        (["--charged"], .charged(reference: nil)),
        (["--charged", "ch_1"], .charged(reference: "ch_1")),
        (["--not-charged"], .notCharged),
    ])
    func aResolutionHasTheOperatorsFinding(arguments: [String], review: ReviewOutcome?) throws {
        let verb = try #require(try Till.parseAsRoot(["resolve", Self.id] + arguments) as? ResolveVerb)
        #expect(verb.review == review)
    }

    @Test func refundsTakeTheirOptions() throws {
        let refund = try parse(
            RefundVerb.self,
            "refund",
            "17",
            "--quantity",
            "2",
            "--cause",
            "application-issue",
            "--refund-id",
            Self.id,
            "--reason",
            "r"
        )
        #expect(refund.options.transaction.reference == .identifier("17"))
        #expect(refund.options.quantity == 2)
        #expect(refund.options.cause.value == .applicationIssue)
        #expect(refund.options.refundID?.uuid.text == Self.id)
        #expect(refund.options.reason.recorded == "r")
        let revoke = try parse(RevokeVerb.self, "revoke", "17")
        #expect(revoke.options.quantity == nil)
        #expect(revoke.options.cause.value == .other)
    }

    @Test func subscriptionsAreNamedByATransaction() throws {
        #expect(try parse(ExpireVerb.self, "expire", "17").transaction.reference == .identifier("17"))
        #expect(try parse(RenewVerb.self, "renew", "17").transaction.reference == .identifier("17"))
        let autoRenew = try parse(AutoRenewVerb.self, "auto-renew", "off", "17", "--reason", "r")
        #expect(autoRenew.direction == .off)
        #expect(autoRenew.transaction.reference == .identifier("17"))
        let request = try parse(PriceIncreaseRequestVerb.self, "price-increase", "request", "17", "--price", "5.99")
        #expect(request.price == Decimal(string: "5.99"))
        #expect(try parse(PriceIncreaseRequestVerb.self, "price-increase", "request", "17").price == nil)
        _ = try parse(PriceIncreaseAgreeVerb.self, "price-increase", "agree", "17")
        _ = try parse(PriceIncreaseDeclineVerb.self, "price-increase", "decline", "17")
    }

    @Test func transactionsAreFoundByAFilter() throws {
        let verb = try parse(
            FindVerb.self,
            "find",
            "--application",
            "a",
            "--account",
            "uid:1",
            "--product",
            "p",
            "--state",
            "deferred",
            "--attention",
            "interrupted"
        )
        #expect(
            verb.filter
                == TransactionFilter(
                    application: "a",
                    account: "uid:1",
                    productID: "p",
                    state: .deferred,
                    attention: .interrupted
                )
        )
        #expect(try parse(FindVerb.self, "find").filter == TransactionFilter())
        #expect(try parse(WhyVerb.self, "why", "01a1fd").transaction.reference.description == "01a1fd")
    }

    @Test func storeVerbsTakeTheirArguments() throws {
        let promote = try parse(PromoteVerb.self, "promote", "p", "--account", "uid:1", "--quantity", "2")
        #expect(promote.product == "p")
        #expect(promote.account == "uid:1")
        #expect(promote.quantity == 2)
        _ = try parse(SettingsVerb.self, "settings", "--json")
        let set = try parse(SettingsSetVerb.self, "settings", "set", "a=1", "b=2", "--reason", "r")
        #expect(set.changes.map(\.name) == ["a", "b"])
        #expect(set.reason.recorded == "r")
        #expect(try parse(SettingsResetVerb.self, "settings", "reset").names.isEmpty)
        #expect(try parse(SettingsResetVerb.self, "settings", "reset", "a").names == ["a"])
        _ = try parse(ClockVerb.self, "clock")
        #expect(try parse(ClockAdvanceVerb.self, "clock", "advance", "30d").span.duration == .seconds(2_592_000))
        _ = try parse(ReconcileVerb.self, "reconcile")
        _ = try parse(AuditVerb.self, "audit")
        let hash = String(repeating: "0", count: 64)
        #expect(try parse(AuditVerifyVerb.self, "audit", "verify", "--expect", hash).expect?.text == hash)
    }

    @Test(arguments: [
        (arguments: ["approve", "12"], says: "at least its first four digits"),
        (["cancel", "x"], "or a transaction identifier"),
        (["why"], "<id>"),
        (["restore", "status", "01a1"], "a complete UUID"),
        (["agent", "--yes", "--no"], "--yes or --no, not both"),
        (["agent", "--timeout", "0"], "Invalid timeout 0: use 1 to 86400 seconds"),
        (["agent", "--timeout", "5", "--yes"], "--timeout has no effect with"),
        (["resolve", "17", "--charged", "--not-charged"], "not both"),
        (["resolve", "17", "ch_1"], "only with --charged"),
        (["resolve", "17", "--not-charged", "ch_1"], "only with --charged"),
        (["refund", "17", "--quantity", "0"], "Invalid quantity 0: use 1 to 10."),
        (["revoke", "17", "--quantity", "11"], "Invalid quantity 11: use 1 to 10."),
        (["refund", "17", "--cause", "fault"], "'other' and 'application-issue'"),
        (["refund", "17", "--refund-id", "1"], "a complete UUID"),
        (["expire", "17", "--reason", ""], "1 to 256 bytes"),
        (["expire", "17", "--reason", String(repeating: "r", count: 257)], "1 to 256 bytes"),
        (["auto-renew", "maybe", "17"], "'on' and 'off'"),
        (["price-increase", "request", "17", "--price", "1,5"], "with a decimal point"),
        (["promote", "p"], "--account"),
        (["promote", "p", "--account", ""], "such as uid:1000"),
        (["promote", "p", "--account", "a", "--quantity", "11"], "Invalid quantity 11: use 1 to 10."),
        (["find", "--state", "gone"], "'purchasing', 'purchased'"),
        (["find", "--attention", "needs_review"], "'needs-review'"),
        (["find", "--account", ""], "Empty --account: use a name"),
        (["settings", "set"], "name=value"),
        (["settings", "set", "a"], "NAME=VALUE"),
        (["settings", "set", "a=1", "a=2"], "Duplicate setting a"),
        (["settings", "set"] + (0...32).map { "s\($0)=1" }, "at most 32 settings"),
        (["settings", "reset", "a=1"], "use a name without a value"),
        (["clock", "advance"], "<span>"),
        (["clock", "advance", "1y"], "use days"),
        (["audit", "verify", "--expect", "12"], "64 hexadecimal digits"),
    ])
    func aWrongCommandLineGetsAdvice(arguments: [String], says: String) async {
        let console = TestConsole()
        #expect(await Till.run(arguments, console.console) == .usage)
        #expect(console.output.values.isEmpty)
        #expect(console.complaints.values.count == 1)
        #expect(console.complaints.values.first?.contains(says) == true, "\(console.complaints.values)")
    }

    @Test func anAgentNeedsATerminalOrARule() async {
        let console = TestConsole()
        #expect(await Till.run(["agent", "--socket", "/nonexistent/s"], console.console) == .usage)
        #expect(
            console.complaints.values
                == ["till: The agent needs a terminal: use one, or --yes or --no."]
        )
    }

    @Test(arguments: [
        ["agent", "--yes"], ["find"], ["clock", "advance", "1d"], ["refund", "17"], ["approve", "01a1"],
    ])
    func verbsWithoutAQueueNeedNoApplication(arguments: [String]) async {
        let console = TestConsole()
        let status = await Till.run(arguments + ["--socket", "/nonexistent/s"], console.console)
        #expect(status == .unreachable)
        #expect(
            console.complaints.values
                == ["till: No daemon answers at /nonexistent/s; start tilld, or name its socket."]
        )
    }

    @Test func aRefundWithUnknownOutcomeGetsAdviceToRetry() {
        let option = "--refund-id \(Self.id)"
        let failure = CommandFailure(.unreachable, "No answer.").advisingRetry(ofThe: "order", with: option)
        #expect(failure.message == "No answer; then retry the same order with --refund-id \(Self.id).")
        let refused = CommandFailure(.badData, "No.")
        #expect(refused.advisingRetry(ofThe: "order", with: "--refund-id x") == refused)
    }

    @Test func everyVerbHasAnExampleAndAManualEntry() throws {
        let manual = try String(contentsOf: Self.manual, encoding: .utf8)
        var verbs = 0
        func check(_ command: any ParsableCommand.Type, _ path: [String]) {
            let configuration = command.configuration
            let wordCount = configuration.abstract.split(separator: " ").count
            #expect((1...10).contains(wordCount), "too many words: \(configuration.abstract)")
            if command is any Verb.Type {
                verbs += 1
                let name = path.joined(separator: " ")
                let hasExample = configuration.discussion.contains("Example: till \(name)")
                let isInManual = manual.contains("\n.It Cm \(name)")
                #expect(hasExample, "\(name) has no example")
                #expect(isInManual, "\(name) is not in the manual")
            }
            for subcommand in configuration.subcommands {
                check(subcommand, path + [subcommand.configuration.commandName ?? ""])
            }
        }
        check(Till.self, [])
        #expect(verbs > 30)
    }

    private static let manual = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/till/Manual/till.1")
}
