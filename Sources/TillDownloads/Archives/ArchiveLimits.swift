/// The limits of an archive. An archive beyond a limit is refused entirely.
///
/// Bytes are counted as they are unpacked, not as the archive declares them.
package struct ArchiveLimits: Hashable, Sendable {
    /// The number of files and directories, including directories that only occur in paths of files.
    package var entriesMaximum = 10_000
    /// The total size of all files: 4 GiB.
    package var bytesMaximum: Int64 = 4 * 1024 * 1024 * 1024
    /// The maximum ratio of the total size of the files to the archive's size, once they exceed ``freeBytes``.
    package var ratioMaximum: Int64 = 100
    package var freeBytes: Int64 = 1024 * 1024
    /// The number of components of a path.
    package var depthMaximum = 16
    /// The length of one path component, which equals the limit of Linux file systems.
    package var nameMaximumBytes = 255

    package init() {}
}
