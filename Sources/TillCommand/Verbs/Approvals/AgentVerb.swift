import ArgumentParser
import TillClient
import TillOutput

struct AgentVerb: Verb {
    static let timeoutRange = 1...86400

    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Ask for approvals on this terminal until Ctrl-C.",
        discussion: """
            Each request is shown with product, price, account and application. Type y to approve, n or Enter to \
            decline, or s to skip the request, which leaves it open. A request that is answered elsewhere is \
            withdrawn. A payment on the provider's page is shown with the page's address, which --open also opens. \
            Ctrl-C ends the agent without an answer. Without a terminal, --yes or --no is required.

            Example: till agent --timeout 120
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("Decline after this many seconds.", valueName: "seconds"))
    var timeout: Int?

    @Flag(help: "Approve all requests without asking.")
    var yes = false

    @Flag(help: "Decline all requests without asking.")
    var no = false

    @Flag(help: "Open payment pages in the browser, with xdg-open.")
    var open = false

    @Flag(help: "Exit after the first answer.")
    var once = false

    func validate() throws {
        guard !(yes && no) else {
            throw ValidationError("Use --yes or --no, not both.")
        }
        guard let timeout else {
            return
        }
        guard Self.timeoutRange.contains(timeout) else {
            let range = "\(Self.timeoutRange.lowerBound) to \(Self.timeoutRange.upperBound)"
            throw ValidationError("Invalid timeout \(timeout): use \(range) seconds.")
        }
        guard !yes, !no else {
            throw ValidationError("--timeout has no effect with --yes or --no: omit it.")
        }
    }

    func run(_ console: Console) async throws {
        guard yes || no || (console.show != nil && console.readLine != nil) else {
            throw CommandFailure(.usage, "The agent needs a terminal: use one, or --yes or --no.")
        }
        try await withAgent(console) { connection in
            // A daemon that cannot be reached at the start is an error. Later, the agent waits for it.
            var open = connection.requests.makeAsyncIterator()
            _ = try await open.next()
            let agent = agent(console, connection)
            _ = try await console.untilInterrupted { try await agent.run(connection.updates) }
        }
    }

    private var policy: Agent.Policy {
        yes || no ? .always(yes) : .ask(timeout: timeout.map { .seconds($0) })
    }

    private func agent(_ console: Console, _ connection: AuthorizationAgent) -> Agent {
        Agent(
            policy: policy,
            isOnce: once,
            console: console,
            answer: { (request, approves) async throws(TillError) in
                try await connection.answer(request, approves: approves, reason: ReasonOption.absent)
            },
            page: { (request) async throws(TillError) in try await connection.paymentPage(request.id) },
            open: open ? console.openPage : nil,
            report: { [json = common.json] in try console.print($0, asJSON: json) }
        )
    }
}
