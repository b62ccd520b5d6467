import Foundation

/// The programs under test, which the build puts next to the tests.
enum Binaries {
    static let daemon = path("tilld")
    static let worker = path("till-test-worker")

    private static func path(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
    }
}
