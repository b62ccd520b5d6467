import Foundation
import Glibc
package import ProcessTesting

/// A file system in memory at the state directory of a site, which can be filled at any moment. Mounting it requires
/// root.
package struct SmallDisk: Sendable {
    /// The maximum number of attempts to limit the size to the used space.
    private static let attempts = 100

    private let site: Site
    private let size: String

    /// Whether this process can mount such a file system.
    package static func isAvailable() async -> Bool {
        let isMounted = try? await Site.with { site in
            let disk = try await SmallDisk(at: site, size: "64k")
            try await disk?.unmount()
            return disk != nil
        }
        return isMounted ?? false
    }

    /// Creates the state directory, and mounts the file system there.
    ///
    /// - Parameter size: The size in the format of mount(8), for example `32m`.
    /// - Returns: Nil if the file system cannot be mounted.
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

    /// Leaves no free space.
    package func fill() async throws {
        for _ in 0..<Self.attempts {
            var status = statvfs()
            guard unsafe statvfs(site.state, &status) == 0 else {
                throw HarnessFailure("the size of the disk cannot be read")
            }
            let used = UInt64(status.f_blocks - status.f_bfree) * UInt64(status.f_frsize)
            // This fails if the daemon has written more since.
            if try await remount(size: String(used)) {
                return
            }
        }
        throw HarnessFailure("the disk cannot be filled")
    }

    /// Restores the free space.
    package func clear() async throws {
        try require(try await remount(size: size), "the disk cannot be resized")
    }

    package func unmount() async throws {
        // A reader that was killed may keep the file system busy for a moment.
        try require(try await run("/usr/bin/umount", ["--lazy", site.state]), "the disk cannot be unmounted")
    }

    /// - Returns: Whether the resize succeeded; it fails if more space is in use.
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
