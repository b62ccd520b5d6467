import ArgumentParser
import FoundationEssentials
import TillClient

/// A verb that answers a question.
protocol Answering: Verb {
    var reference: IdentityPrefix { get }
    var reason: ReasonOption { get }
}

extension Answering {
    func answer(approves: Bool, _ console: Console) async throws {
        try await withAgent { agent in
            var search = RequestSearch(reference)
            for try await request in agent.requests {
                try search.look(at: request)
            }
            let request = try search.request()
            try await agent.answer(request, approves: approves, reason: reason.recorded)
            let line = AnswerLine(id: request.id, kind: request.kind, outcome: approves ? .approved : .declined)
            try console.print(line, asJSON: common.json)
        }
    }
}
