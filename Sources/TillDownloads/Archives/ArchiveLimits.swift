/// What an archive may hold at most. What is beyond is refused as a whole.
///
/// Bytes are counted as they come out, not as the archive announces them.
package struct ArchiveLimits: Hashable, Sendable {
    /// Files and directories together, and those directories too that are only named on the way to a file.
    package var entriesMaximum = 10_000
    /// Of all files together: 4 GiB.
    package var bytesMaximum: Int64 = 4 * 1024 * 1024 * 1024
    /// How many times larger than the archive its files may be together, once they pass ``freeBytes``.
    package var ratioMaximum: Int64 = 100
    package var freeBytes: Int64 = 1024 * 1024
    /// The steps of a path.
    package var depthMaximum = 16
    /// One step of a path, which is also what Linux's file systems hold.
    package var nameMaximumBytes = 255

    package init() {}
}
