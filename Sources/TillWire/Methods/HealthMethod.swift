/// The calls of the service `grpc.health.v1.Health`, by their names.
package enum HealthMethod: String, Hashable, Sendable, CaseIterable {
    case check = "Check"

    package static let service = "grpc.health.v1.Health"
}
