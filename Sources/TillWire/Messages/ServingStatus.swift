/// The health of a service, by the raw values of `grpc.health.v1`.
package enum ServingStatus: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case serving = 1
    case notServing = 2
    case serviceUnknown = 3
}
