import Foundation
package import ProcessTesting

/// The wall clock of the programs of a site, which can be set while they run; every other clock stays as it is.
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

    /// What the programs have to be started with.
    package var environment: [String: String] {
        ["LD_PRELOAD": library, "CLOCK_SHIM_OFFSET": path]
    }

    /// Sets the clock that far from the machine's.
    package func set(offset duration: Duration) throws {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        try file.seek(toOffset: 0)
        try file.write(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: nanoseconds >> ($0 * 8)) })
    }
}
