import ArgumentParser
import FoundationEssentials
import TillClient
import TillModel
import TillOutput

struct RequestsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List open requests that you may answer, oldest first.",
        discussion: """
            Requests of all applications and accounts are listed: purchases, Ask to Buy, price increases of \
            subscriptions, and payments on the provider's page.

            Example: till requests
            """
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withAgent(console) { agent in
            try await console.print(list: agent.requests, asJSON: common.json, RequestLine.init)
        }
    }
}

struct ApproveVerb: AnswerVerb {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve a purchase, Ask to Buy or price increase.",
        discussion: "Example: till approve 0199d2a4 --reason 'Asked at home.'"
    )

    static let approves = true

    @OptionGroup var common: CommonOptions

    @OptionGroup var request: RequestArgument

    @OptionGroup var reason: ReasonOption
}

struct DeclineVerb: AnswerVerb {
    static let configuration = CommandConfiguration(
        commandName: "decline",
        abstract: "Decline a purchase, payment, Ask to Buy or price increase.",
        discussion: "Example: till decline 0199d2a4 --reason 'Asked at home.'"
    )

    static let approves = false

    @OptionGroup var common: CommonOptions

    @OptionGroup var request: RequestArgument

    @OptionGroup var reason: ReasonOption
}

struct PaymentPageVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "payment-page",
        abstract: "Print the page on which a payment is paid.",
        discussion: """
            Only a payment that waits for its payer has a page: see till requests. Anyone who has the address can see \
            what is bought, and pay.

            Example: till payment-page 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var request: RequestArgument

    func run(_ console: Console) async throws {
        try await withAgent(console) { agent in
            let payment = try await request.find(among: agent.requests)
            try console.print(
                PageLine(id: payment.id, page: try await agent.paymentPage(payment.id)),
                asJSON: common.json
            )
        }
    }
}

/// A verb that answers a request.
protocol AnswerVerb: Verb {
    static var approves: Bool { get }
    var request: RequestArgument { get }
    var reason: ReasonOption { get }
}

extension AnswerVerb {
    func run(_ console: Console) async throws {
        try await withAgent(console) { agent in
            let request = try await request.find(among: agent.requests)
            try await agent.answer(request, approves: Self.approves, reason: reason.recorded)
            let outcome: AgentOutcome = Self.approves ? .approved : .declined
            try console.print(AnswerLine(id: request.id, kind: request.kind, outcome: outcome), asJSON: common.json)
        }
    }
}

/// The argument that names an open request.
struct RequestArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The request's UUID or UUID prefix; see till requests.", valueName: "id"),
        transform: IdentityPrefix.parse
    )
    var reference: IdentityPrefix

    func find(among requests: PagedList<AuthorizationRequest>) async throws -> AuthorizationRequest {
        var search = RequestSearch(reference)
        for try await request in requests {
            try search.look(at: request)
        }
        return try search.request()
    }
}

/// A search for an open request in one pass over a list.
struct RequestSearch {
    private let reference: IdentityPrefix
    private var found: AuthorizationRequest?

    init(_ reference: IdentityPrefix) {
        self.reference = reference
    }

    mutating func look(at request: AuthorizationRequest) throws(TillError) {
        guard reference.matches(request.id) else {
            return
        }
        if let found {
            throw .ambiguous("request", reference.text, found.id, request.id)
        }
        found = request
    }

    func request() throws(TillError) -> AuthorizationRequest {
        guard let found else {
            throw TillError(
                .notFound,
                "No open request matches \(reference.text); till requests lists those that you may answer."
            )
        }
        return found
    }
}
