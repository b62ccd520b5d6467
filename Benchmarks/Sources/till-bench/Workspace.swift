import Foundation

/// The folders of a benchmark, and its processes.
final class Workspace: Sendable {
    let tools = Tools()
    let processes: Processes
    /// A folder on the measured disk.
    let states: URL
    /// A folder for sockets, whose paths must be short.
    let sockets: URL
    let seconds: Double
    /// How long each flush of a server takes, in milliseconds; nil for as long as the disk takes.
    let slowFlush: Int?

    init(_ options: BenchOptions) throws {
        processes = Processes(tools: tools)
        seconds = options.seconds
        slowFlush = options.slowFlush
        let name = "till-bench.\(ProcessInfo.processInfo.processIdentifier)"
        states = URL(fileURLWithPath: options.disk).appendingPathComponent(name)
        sockets = URL(fileURLWithPath: "/tmp").appendingPathComponent(name)
        try FileManager.default.createDirectory(at: sockets, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: states, withIntermediateDirectories: true)
    }

    /// Makes a new folder. If this program runs as root, the owner may be another user.
    func makeFolder(_ name: String, in parent: URL, owner: String? = nil) throws -> URL {
        let folder = parent.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let owner, geteuid() == 0 {
            try FileManager.default.setAttributes([.ownerAccountName: owner], ofItemAtPath: folder.path)
        }
        return folder
    }

    /// Stops all processes, and removes their files.
    func close() {
        processes.stopAll()
        try? FileManager.default.removeItem(at: states)
        try? FileManager.default.removeItem(at: sockets)
    }
}
