import Foundation
package import ProcessTesting

/// The wall clock of the programs of a site, which can be set while they run; every other clock stays as it is.
package final class WallClock: Sendable {
    private static let libraryName = "clock-shim.so"
    private static let offsetName = "clock-offset"

    private let site: Site
    private let offset: FileHandle

    /// Compiles the library that the programs are to load, with the toolchain's compiler.
    package init(site: Site) async throws {
        self.site = site
        let source = site.path("clock-shim.c")
        try Data(PackageResources.clock_shim_c).write(to: URL(filePath: source))
        let compiler = try site.start(
            "clang",
            "/usr/bin/env",
            [
                "clang", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o", site.path(Self.libraryName),
                source,
            ],
            log: "programs.log"
        )
        if let failed = UnexpectedExit(compiler, await compiler.exit(), .status(0)) {
            throw failed
        }
        let path = site.path(Self.offsetName)
        try Data(count: MemoryLayout<Int64>.size).write(to: URL(filePath: path))
        offset = try FileHandle(forUpdating: URL(filePath: path))
    }

    /// What the programs have to be started with.
    package var environment: [String: String] {
        ["LD_PRELOAD": site.path(Self.libraryName), "CLOCK_SHIM_OFFSET": site.path(Self.offsetName)]
    }

    /// Sets the clock that far from the machine's.
    package func set(offset duration: Duration) throws {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        try offset.seek(toOffset: 0)
        try offset.write(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: nanoseconds >> ($0 * 8)) })
    }
}
