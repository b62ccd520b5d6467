import FoundationEssentials
import TillModel

/// Finds the open request that an argument names.
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
            throw TillError(
                .invalidArgument,
                "\(reference.text) names more than one request, \(found.id.text) and \(request.id.text); give more of it."
            )
        }
        found = request
    }

    func request() throws(TillError) -> AuthorizationRequest {
        guard let found else {
            throw TillError(
                .notFound,
                "No open request \(reference.text) that this user may answer; till requests lists them."
            )
        }
        return found
    }
}
