import Foundation

/// Finds programs: first those built with this one, then the system's.
struct Tools: Sendable {
    let folder: URL
    private let folders: [URL]

    init() {
        // The folder of this program, regardless of the name by which it was called.
        folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let listed = path.split(separator: ":").map { URL(fileURLWithPath: String($0)) }
        let system = ["/usr/sbin", "/sbin", "/usr/lib/postgresql/15/bin"].map { URL(fileURLWithPath: $0) }
        folders = [folder] + listed + system
    }

    /// The path of a program; nil if it is not found.
    func path(of program: String) -> String? {
        guard !program.contains("/") else {
            return FileManager.default.isExecutableFile(atPath: program) ? program : nil
        }
        return folders.map { $0.appendingPathComponent(program).path }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    func required(_ program: String) throws -> String {
        guard let path = path(of: program) else {
            throw BenchError("The program \(program) is missing.")
        }
        return path
    }
}

/// An error that ends the benchmark.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
