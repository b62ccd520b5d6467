import CrashStates
import Foundation

/// A trace of one daemon on the state directory `/s`, and the disk that it leaves.
struct Trace {
    static let root = "/s"

    let log: OperationLog

    init(_ lines: String...) throws {
        try self.init(lives: [lines])
    }

    init(lives: [[String]]) throws {
        let lives = try lives.map { lines in
            let text = lines.map { "7 \($0)\n" }.joined() + "7 +++ exited with 0 +++\n"
            let (calls, end) = try SystemCall.calls(ofTrace: Data(text.utf8))
            return OperationLog.Life(calls: calls, end: end)
        }
        log = try OperationLog(lives: lives, root: Self.root)
    }

    /// The disk after this many lines, as text by path; directories end in a slash.
    func disk(after lines: Int? = nil, _ bytes: Variant.Bytes, _ names: Variant.Names = .strict, seed: UInt64 = 0)
        -> [String: String]
    {
        var walk = DiskWalk(log)
        walk.advance(to: lines.map { 2 * $0 } ?? log.end)
        var disk: [String: String] = [:]
        for (path, item) in walk.state(Variant(bytes, names, seed: seed)).items {
            switch item {
            case .directory: disk[path + "/"] = ""
            case .file(let bytes): disk[path] = String(decoding: bytes, as: UTF8.self)
            }
        }
        return disk
    }

    /// All disks that chance can leave at the end.
    func disks(sector: Int, _ names: Variant.Names, tries: UInt64 = 2000) -> Set<[String: String]> {
        Set((0..<tries).map { disk(.sectors(sector), names, seed: $0) })
    }
}
