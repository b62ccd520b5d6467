import ArgumentParser
import TillClient

struct RequestsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List the questions that this user may answer, the oldest first.",
        discussion: """
            They are of all applications and accounts: purchases, Ask to Buy, and higher prices of subscriptions.

            Example: till requests
            """
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withAgent { agent in
            for try await request in agent.requests {
                try console.print(RequestLine(request: request), asJSON: common.json)
            }
        }
    }
}
