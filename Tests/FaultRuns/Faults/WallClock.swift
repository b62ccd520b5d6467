import Foundation
package import ProcessTesting

/// The wall clock of a site's programs, which can be set while they run. Other clocks do not change.
package final class WallClock: Sendable {
    private let library: String
    private let path: String
    private let file: FileHandle

    package init(site: Site) async throws {
        library = try await PreloadLibrary.clockShim.compile(at: site)
        path = site.path("clock-offset")
        try Data(count: MemoryLayout<Int64>.size).write(to: URL(filePath: path))
        file = try FileHandle(forUpdating: URL(filePath: path))
    }

    /// The environment that the programs need.
    package var environment: [String: String] {
        ["LD_PRELOAD": library, "CLOCK_SHIM_OFFSET": path]
    }

    /// Sets the clock's offset from the machine's clock.
    package func set(offset duration: Duration) throws {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        try file.seek(toOffset: 0)
        try file.write(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: nanoseconds >> ($0 * 8)) })
    }
}
