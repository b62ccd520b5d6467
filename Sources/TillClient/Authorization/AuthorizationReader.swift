import FoundationEssentials
import TillModel

/// Turns what streams say of requests into updates: after a reconnect, nothing twice and nothing missed.
struct AuthorizationReader {
    /// How many open requests are remembered; those beyond it are asked again after a reconnect.
    static let openMaximum = 4096

    private struct Key: Hashable {
        var id: UUID
        var kind: AuthorizationRequest.Kind
    }

    private var open: [Key: AuthorizationRequest] = [:]

    /// What an event is to the agent; nil when it knows that already.
    mutating func read(_ event: AuthorizationEvent) -> AuthorizationUpdate? {
        switch event {
        case .requested(let request):
            let key = Key(id: request.id, kind: request.kind)
            guard open[key] != request else {
                return nil
            }
            if open.count < Self.openMaximum || open[key] != nil {
                open[key] = request
            }
            return .requested(request)
        case .withdrawn(let id, let kind):
            open[Key(id: id, kind: kind)] = nil
            return .withdrawn(id: id, kind: kind)
        }
    }

    /// What is not open any more, given all that was after a new stream had begun.
    mutating func withdrawAll(besides requests: some Sequence<AuthorizationRequest>) -> [AuthorizationUpdate] {
        let gone = Set(open.keys).subtracting(requests.map { Key(id: $0.id, kind: $0.kind) })
        gone.forEach { open[$0] = nil }
        return gone.map { .withdrawn(id: $0.id, kind: $0.kind) }
    }

    /// Whether anything may have been withdrawn unseen.
    var isEmpty: Bool {
        open.isEmpty
    }
}
