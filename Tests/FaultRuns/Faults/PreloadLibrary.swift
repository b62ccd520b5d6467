import Foundation
package import ProcessTesting

/// A library to preload into a daemon, which a run compiles with the toolchain's compiler.
package enum PreloadLibrary: String, Sendable {
    /// Moves the wall clock.
    case clockShim = "clock-shim"
    /// Makes writes to files fail or be short, or makes the creation of threads fail.
    case failingCalls = "failing-calls"

    private var source: [UInt8] {
        switch self {
        case .clockShim: PackageResources.clock_shim_c
        case .failingCalls: PackageResources.failing_calls_c
        }
    }

    /// Compiles the library into the site.
    ///
    /// - Returns: The library's path.
    package func compile(at site: Site) async throws -> String {
        let source = site.path("\(rawValue).c")
        let library = site.path("\(rawValue).so")
        try Data(self.source).write(to: URL(filePath: source))
        let warnings = ["-Wall", "-Wextra", "-Werror"]
        let compiler = try site.start(
            "clang",
            "/usr/bin/env",
            ["clang", "-shared", "-fPIC", "-O2"] + warnings + ["-o", library, source],
            log: "programs.log"
        )
        if let failed = UnexpectedExit(compiler, await compiler.exit(), .status(0)) {
            throw failed
        }
        return library
    }
}
