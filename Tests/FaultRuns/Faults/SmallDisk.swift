import Foundation
import Glibc
package import ProcessTesting

/// A file system in memory at the state directory of a site, which can be full at any moment. Only root can have one.
package struct SmallDisk: Sendable {
    /// To find out how much is used, and leave just that.
    private static let attempts = 100

    private let site: Site
    private let size: String

    /// Whether one can be mounted here.
    package static func isAvailable() async -> Bool {
        let isMounted = try? await Site.with { site in
            let disk = try await SmallDisk(at: site, size: "64k")
            try await disk?.unmount()
            return disk != nil
        }
        return isMounted ?? false
    }

    /// Mounts it at the state directory, which is made.
    ///
    /// - Parameter size: As mount(8) takes it, for example `32m`.
    /// - Returns: Nil where it cannot be mounted.
    package init?(at site: Site, size: String) async throws {
        self.site = site
        self.size = size
        try site.makeState(mode: 0o700)
        guard geteuid() == 0 else {
            return nil
        }
        let options = "size=\(size),mode=0700"
        guard try await run("/usr/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", site.state]) else {
            return nil
        }
    }

    /// Leaves no room.
    package func fill() async throws {
        for _ in 0..<Self.attempts {
            var status = statvfs()
            guard unsafe statvfs(site.state, &status) == 0 else {
                throw HarnessFailure("the disk cannot be asked for its size")
            }
            let used = UInt64(status.f_blocks - status.f_bfree) * UInt64(status.f_frsize)
            // Refused when more was written meanwhile.
            if try await remount(size: String(used)) {
                return
            }
        }
        throw HarnessFailure("the disk cannot be filled")
    }

    /// Makes room again.
    package func clear() async throws {
        try require(try await remount(size: size), "the disk cannot be resized")
    }

    package func unmount() async throws {
        // A reader that was killed may have hold of it for a moment more.
        try require(try await run("/usr/bin/umount", ["--lazy", site.state]), "the disk cannot be unmounted")
    }

    /// - Returns: Whether it is as large now; it is not when more is in use.
    package func remount(size: String) async throws -> Bool {
        try await run("/usr/bin/mount", ["-o", "remount,size=\(size)", site.state])
    }

    private func run(_ program: String, _ arguments: [String]) async throws -> Bool {
        let process = try site.start(program, program, arguments, log: "programs.log")
        return await process.exit() == .status(0)
    }

    private func require(_ succeeded: Bool, _ message: String) throws {
        guard succeeded else {
            throw HarnessFailure(message)
        }
    }
}
