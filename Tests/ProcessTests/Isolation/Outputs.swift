import Foundation
import ProcessTesting

/// The outputs of processes: files of the site, and data that the system shows of them.
struct Outputs {
    private let site: Site
    private var contents: [(name: String, data: Data)] = []

    init(_ site: Site) {
        self.site = site
    }

    var count: Int { contents.count }
    var bytes: Int { contents.reduce(0) { $0 + $1.data.count } }

    mutating func note(process: Int32) {
        for name in ["environ", "cmdline", "comm", "status"] {
            // If a process may not be dumped, only root can read its data.
            let data = FileManager.default.contents(atPath: "/proc/\(process)/\(name)") ?? Data()
            contents.append(("\(process)/\(name)", data))
        }
    }

    /// Reads logs and core files, wherever the system writes them.
    mutating func noteFiles() throws {
        for directory in [site.directory, FileManager.default.currentDirectoryPath, site.state] {
            try noteFiles(in: directory) { $0.hasSuffix(".log") || $0 == "core" || $0.hasPrefix("core.") }
        }
    }

    /// Reads the ledger and the other files of the state directory.
    mutating func noteState() throws {
        try noteFiles(in: site.state) { _ in true }
    }

    private mutating func noteFiles(in directory: String, where isNoted: (String) -> Bool) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) where isNoted(name) {
            if let data = FileManager.default.contents(atPath: "\(directory)/\(name)") {
                contents.append((name, data))
            }
        }
    }

    func found(_ needles: [Data]) -> [String] {
        contents.filter { content in needles.contains { Self.contains($0, in: content.data) } }.map(\.name)
    }

    /// `NSData` searches in compiled C; a collection's generic search takes hours for a hundred crashes.
    private static func contains(_ needle: Data, in data: Data) -> Bool {
        NSData(data: data).range(of: needle, in: NSRange(0..<data.count)).location != NSNotFound
    }
}
