import ArgumentParser
import TillClient

struct AgentVerb: Verb {
    static let timeoutRange = 1...86400

    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Ask on this terminal what the store asks this user, until Ctrl-C.",
        discussion: """
            Each question is shown with product, price, account and application; y agrees, n or Enter declines, s \
            leaves it to others. An answer given elsewhere takes the question back. Ctrl-C leaves without answering. \
            Without a terminal, --yes or --no is needed.

            Example: till agent --timeout 120
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("Decline what is not answered in so long.", valueName: "seconds"))
    var timeout: Int?

    @Flag(help: "Agree to everything, and ask nothing.")
    var yes = false

    @Flag(help: "Decline everything, and ask nothing.")
    var no = false

    @Flag(help: "End after the first answer.")
    var once = false

    func validate() throws {
        guard !(yes && no) else {
            throw ValidationError("Give --yes or --no, not both.")
        }
        guard let timeout else {
            return
        }
        guard Self.timeoutRange.contains(timeout) else {
            let range = Self.timeoutRange
            throw ValidationError("--timeout takes \(range.lowerBound) to \(range.upperBound) seconds.")
        }
        guard !yes, !no else {
            throw ValidationError("--timeout is for questions, which --yes and --no do not ask.")
        }
    }

    func run(_ console: Console) async throws {
        guard yes || no || (console.show != nil && console.readLine != nil) else {
            throw CommandFailure(.usage, "There is no terminal to ask on; answer everything with --yes or --no.")
        }
        try await withAgent { connection in
            // A daemon that was never there is an error; one that goes away is waited for.
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
            report: { [json = common.json] in try console.print($0, asJSON: json) }
        )
    }
}
