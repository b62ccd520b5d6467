/// The calls of the service `till.v1.Authorization`, by their names.
package enum AuthorizationMethod: String, Hashable, Sendable, CaseIterable {
    case listRequests = "ListRequests"
    /// Answers with a stream.
    case watch = "Watch"
    case answer = "Answer"

    package static let service = "till.v1.Authorization"
}
