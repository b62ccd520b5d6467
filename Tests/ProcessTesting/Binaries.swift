import Foundation

/// The programs under test, which the build puts next to the tests.
package enum Binaries {
    package static let command = path("till")
    package static let daemon = path("tilld")
    package static let example = path("till-example")
    package static let worker = path("till-test-worker")
    package static let attack = path("till-attack")
    package static let stripeStandIn = path("till-stripe-stand-in")
    package static let stripeConformance = path("till-stripe-conformance")

    private static func path(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
    }
}
