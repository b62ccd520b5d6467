import FoundationEssentials
import TillModel

/// The questions that are open, in the order in which they came.
actor AgentInbox {
    /// How many may wait to be asked; those beyond it stay open and are left to others.
    static let capacity = 1024

    private var open: [AuthorizationRequest] = []
    /// Wakes who waits for a change; there is one at a time.
    private var signal: AsyncStream<Void>.Continuation?

    /// - Returns: Whether there was room for it.
    func add(_ request: AuthorizationRequest) -> Bool {
        remove(id: request.id, kind: request.kind)
        guard open.count < Self.capacity else {
            return false
        }
        open.append(request)
        signal?.yield()
        return true
    }

    func remove(id: UUID, kind: AuthorizationRequest.Kind) {
        open.removeAll { $0.id == id && $0.kind == kind }
        signal?.yield()
    }

    /// Waits for a question, which stays until it is removed; nil when the task is cancelled.
    func first() async -> AuthorizationRequest? {
        for await _ in changes() {
            if let first = open.first {
                return first
            }
        }
        return nil
    }

    /// Returns once the question is not open any more, or is another one, or when the task is cancelled.
    func waitUntilGone(_ request: AuthorizationRequest) async {
        for await _ in changes() where !open.contains(request) {
            return
        }
    }

    /// Begins with one at once.
    private func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        signal = continuation
        return stream
    }
}
