import Foundation

/// Where a benchmark works, and what it has started there.
final class Workspace: Sendable {
    let tools = Tools()
    let processes: Processes
    /// On the disk that is measured.
    let states: URL
    /// Of sockets, whose paths have to be short.
    let sockets: URL
    let seconds: Double
    let slowFlush: Bool

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

    /// A new folder for states, or nil's for sockets; of a user's own when one is named and this program is root's.
    func makeFolder(_ name: String, in parent: URL, owner: String? = nil) throws -> URL {
        let folder = parent.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let owner, geteuid() == 0 {
            try FileManager.default.setAttributes([.ownerAccountName: owner], ofItemAtPath: folder.path)
        }
        return folder
    }

    /// Stops everything, and removes what it left.
    func close() {
        processes.stopAll()
        try? FileManager.default.removeItem(at: states)
        try? FileManager.default.removeItem(at: sockets)
    }
}
