import FoundationEssentials
import Testing
import TillClient
import TillOutput
@testable import TillCommand

@Suite(.timeLimit(.minutes(1))) struct AgentTests {
    private static let one = AuthorizationRequest.sample(id: UUID(high: 0, low: 1))
    private static let two = AuthorizationRequest.sample(id: UUID(high: 0, low: 2), kind: .approval)

    @Test(arguments: [
        (typed: "y", answers: ["1 true"], report: "purchase  approved"),
        (" Yes ", ["1 true"], "purchase  approved"),
        ("n", ["1 false"], "purchase  declined"),
        ("", ["1 false"], "purchase  declined"),
        ("s", [], "purchase  skipped"),
    ])
    func aTypedLineIsTheAnswer(typed: String, answers: [String], report: String) async throws {
        let script = AgentScript { script, text in
            if text.contains("Pay?") { script.type(typed) }
            if text.contains("Allow it?") { script.type(nil) }
        }
        script.send(.requested(Self.one))
        script.send(.requested(Self.two))
        try await script.agent(.ask(timeout: nil)).run(script.updates)
        #expect(script.answers.values == answers)
        #expect(script.reports.values.map { $0.hasSuffix(report) } == [true])
    }

    @Test func anInvalidAnswerIsAskedForAgain() async throws {
        let script = AgentScript { script, text in
            script.type(text.hasPrefix("Type y") ? "y" : "perhaps")
        }
        script.send(.requested(Self.one))
        try await script.agent(.ask(timeout: nil), isOnce: true).run(script.updates)
        #expect(script.answers.values == ["1 true"])
        #expect(script.shown.hasSuffix("Pay? y, N or skip: Type y to approve, n to decline, or s to skip: "))
    }

    @Test func anAnswerGivenElsewhereWithdrawsTheRequest() async throws {
        let script = AgentScript { script, text in
            if text.contains("Pay?") { script.send(.withdrawn(id: Self.one.id, kind: .purchase)) }
            if text.contains("Allow it?") { script.type("y") }
        }
        script.send(.requested(Self.one))
        script.send(.requested(Self.two))
        try await script.agent(.ask(timeout: nil), isOnce: true).run(script.updates)
        #expect(script.answers.values == ["2 true"])
        #expect(script.reports.values.map { $0.hasSuffix("withdrawn") } == [true, false])
        #expect(script.shown.contains("\nThe request was answered elsewhere, or has expired.\n"))
    }

    @Test func aWithdrawnRequestIsNotShown() async throws {
        let script = AgentScript { script, text in
            if text.contains("Pay?") {
                script.send(.withdrawn(id: Self.two.id, kind: .approval))
                script.send(.withdrawn(id: Self.one.id, kind: .purchase))
                script.endUpdates()
            }
        }
        script.send(.requested(Self.one))
        script.send(.requested(Self.two))
        try await script.agent(.ask(timeout: nil)).run(script.updates)
        #expect(!script.shown.contains("Allow it?"))
        #expect(script.answers.values.isEmpty)
    }

    @Test func aTimeoutDeclinesTheRequest() async throws {
        let script = AgentScript(timePasses: true) { _, _ in }
        script.send(.requested(Self.one))
        try await script.agent(.ask(timeout: .seconds(5)), isOnce: true).run(script.updates)
        #expect(script.answers.values == ["1 false"])
        #expect(script.reports.values.first?.hasSuffix("declined after timeout") == true)
        #expect(script.shown.hasSuffix("\nDeclined after the timeout.\n"))
    }

    @Test func theEndOfTheInputEndsTheAgentWithoutAnAnswer() async throws {
        let script = AgentScript { script, _ in script.type(nil) }
        script.send(.requested(Self.one))
        try await script.agent(.ask(timeout: .seconds(5))).run(script.updates)
        #expect(script.answers.values.isEmpty)
        #expect(script.reports.values.isEmpty)
    }

    @Test(arguments: [true, false])
    func aRuleAnswersWithoutAsking(approves: Bool) async throws {
        let script = AgentScript { _, _ in }
        script.send(.requested(Self.one))
        try await script.agent(.always(approves), isOnce: true).run(script.updates)
        #expect(script.answers.values == ["1 \(approves)"])
        #expect(script.shown.isEmpty)
    }

    @Test(arguments: [TillError.Code.failedPrecondition, .notFound])
    func aLateAnswerIsNotAnError(code: TillError.Code) async throws {
        let script = AgentScript(errors: [TillError(code, "It is not open.")]) { _, _ in }
        script.send(.requested(Self.one))
        script.send(.requested(Self.two))
        try await script.agent(.always(true), isOnce: true).run(script.updates)
        #expect(script.answers.values == ["1 true", "2 true"])
        #expect(script.reports.values.map { $0.hasSuffix("withdrawn") } == [true, false])
    }

    @Test func aLostAnswerIsSentAgain() async throws {
        let script = AgentScript(errors: [TillError(.unavailable, "Gone.")]) { _, _ in }
        script.send(.requested(Self.one))
        try await script.agent(.always(true), isOnce: true).run(script.updates)
        #expect(script.answers.values == ["1 true", "1 true"])
        #expect(script.complaints.values.count == 1)
    }

    @Test func anotherErrorEndsTheAgent() async {
        let script = AgentScript(errors: [TillError(.permissionDenied, "No.")]) { _, _ in }
        script.send(.requested(Self.one))
        let error = await #expect(throws: TillError.self) { try await script.agent(.always(true)).run(script.updates) }
        #expect(error?.code == .permissionDenied)
    }

    @Test func aLostAndRestoredConnectionIsReported() async throws {
        let script = AgentScript { _, _ in }
        script.send(.connection(.connected))
        script.send(.connection(.disconnected(reason: "gone")))
        script.send(.connection(.connected))
        script.endUpdates()
        try await script.agent(.always(true)).run(script.updates)
        #expect(
            script.complaints.values == [
                "till: The connection was lost; waiting for the daemon.", "till: Reconnected.",
            ]
        )
    }

    @Test func requestsBeyondTheCapacityStayOpen() async {
        let inbox = AgentInbox()
        for number in 0..<AgentInbox.capacity {
            #expect(await inbox.add(.sample(id: UUID(high: 1, low: UInt64(number)))))
        }
        #expect(await !inbox.add(Self.one))
        await inbox.remove(id: UUID(high: 1, low: 0), kind: .purchase)
        #expect(await inbox.add(Self.one))
        #expect(await inbox.add(Self.one), "a duplicate needs no room")
    }

    private static let payment = AuthorizationRequest.sample(id: UUID(high: 0, low: 3), kind: .payment)

    @Test(arguments: [
        (typed: ["n"], answers: ["3 false"], report: "payment  declined  https://pay.example/3"),
        (["", "y", "no"], ["3 false"], "payment  declined  https://pay.example/3"),
        (["s"], [], "payment  skipped  https://pay.example/3"),
    ])
    func aPaymentIsCancelledOnlyByAWord(typed: [String], answers: [String], report: String) async throws {
        let script = AgentScript { script, text in
            if text.contains("Allow it?") { script.type(nil) }
        }
        typed.forEach(script.type)
        script.send(.requested(Self.payment))
        script.send(.requested(Self.two))
        try await script.agent(.ask(timeout: nil)).run(script.updates)
        #expect(script.answers.values == answers)
        #expect(script.opened.values == ["https://pay.example/3"])
        #expect(script.shown.contains("  page https://pay.example/3\n"))
        #expect(script.reports.values.map { $0.hasSuffix(report) } == [true])
    }

    @Test func aPaidPaymentIsWithdrawn() async throws {
        let script = AgentScript { script, text in
            if text.contains("Pay on the page.") { script.send(.withdrawn(id: Self.payment.id, kind: .payment)) }
            if text.contains("Allow it?") { script.type(nil) }
        }
        script.send(.requested(Self.payment))
        script.send(.requested(Self.two))
        try await script.agent(.ask(timeout: nil)).run(script.updates)
        #expect(script.shown.contains("\nThe payment was paid or cancelled, or has expired.\n"))
        #expect(script.reports.values.map { $0.contains("payment  withdrawn") } == [true])
    }

    @Test func aRuleShowsThePageOrCancelsThePayment() async throws {
        let shows = AgentScript { _, _ in }
        shows.send(.requested(Self.payment))
        try await shows.agent(.always(true), isOnce: true).run(shows.updates)
        #expect(shows.answers.values.isEmpty)
        #expect(shows.reports.values.map { $0.hasSuffix("payment  shown  https://pay.example/3") } == [true])
        let cancels = AgentScript { _, _ in }
        cancels.send(.requested(Self.payment))
        try await cancels.agent(.always(false), isOnce: true).run(cancels.updates)
        #expect(cancels.answers.values == ["3 false"])
        #expect(cancels.opened.values.isEmpty)
    }

    @Test(arguments: [
        (code: TillError.Code.failedPrecondition, report: "payment  withdrawn", complaints: 0),
        (.notFound, "payment  withdrawn", 0),
        (.unavailable, "payment  skipped", 1),
    ])
    func aPageThatIsNotThereIsNotShown(code: TillError.Code, report: String, complaints: Int) async throws {
        let script = AgentScript(pageError: TillError(code, "No page.")) { _, _ in }
        script.send(.requested(Self.payment))
        script.send(.requested(Self.two))
        try await script.agent(.always(true), isOnce: true).run(script.updates)
        #expect(script.reports.values.map { $0.hasSuffix(report) } == [true, false])
        #expect(script.complaints.values.count == complaints)
        #expect(script.opened.values.isEmpty)
    }

    @Test(arguments: [
        (kind: AuthorizationRequest.Kind.purchase, title: "Purchase", question: "Pay? y, N or skip: "),
        (.approval, "Ask to Buy: uid:1000 wants to buy", "Allow it? y, N or skip: "),
        (.priceConsent, "Price increase of a subscription", "Agree to the price? y, N or skip: "),
        (
            .payment, "Payment on the provider's page",
            "Pay on the page. Type n to cancel the payment, or s to skip: "
        ),
    ])
    func aPromptShowsTheWholeRequest(kind: AuthorizationRequest.Kind, title: String, question: String) {
        var request = AuthorizationRequest.sample(kind: kind, locale: "de-DE")
        request.applicationUsername = "ann\u{1B}"
        let prompt = AgentPrompt(request: request)
        #expect(prompt.question == question)
        #expect(
            prompt.lines.map { $0.replacing("\u{A0}", with: " ") } == [
                title,
                "  Coins (coins) ×2 for 9,98 $",
                "  application org.example.notes, user ann\u{FFFD}, account uid:1000",
                "  asked 2026-03-01T09:30:00.250Z, answer by 2026-03-01T09:40:00.250Z (within 10m)",
                "  id 00000000-0000-0000-0000-000000000001",
            ]
        )
    }
}
