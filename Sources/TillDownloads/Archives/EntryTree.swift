/// The names that an archive has used, so that no entry takes the place of another: not on this file system, nor on one
/// that takes names for the same that differ in case or in the form of their characters.
struct EntryTree {
    private struct Node {
        var path: String
        var isDirectory: Bool
        /// Whether an entry was for it, and not only for what is in it.
        var isNamed: Bool
    }

    /// By what a path has in common with those that collide with it. Swift compares text by canonical equivalence.
    private var nodes: [String: Node] = [:]

    /// With those directories that only lie on the way.
    var count: Int { nodes.count }

    /// - Returns: The directories that must be made before it, and itself if it is one; outer ones first.
    mutating func add(_ path: EntryPath, isDirectory: Bool) throws(ArchiveFault) -> [[String]] {
        var made: [[String]] = []
        for depth in path.steps.indices {
            let steps = Array(path.steps[...depth])
            let isLast = depth == path.steps.count - 1
            if try add(steps, isDirectory: !isLast || isDirectory, isNamed: isLast), !isLast || isDirectory {
                made.append(steps)
            }
        }
        return made
    }

    /// - Returns: Whether it is new.
    private mutating func add(_ steps: [String], isDirectory: Bool, isNamed: Bool) throws(ArchiveFault) -> Bool {
        let path = steps.joined(separator: "/")
        let key = Self.key(path)
        guard let node = nodes[key] else {
            nodes[key] = Node(path: path, isDirectory: isDirectory, isNamed: isNamed)
            return true
        }
        guard node.path.utf8.elementsEqual(path.utf8) else { throw .collision }
        guard node.isDirectory, isDirectory, !(node.isNamed && isNamed) else { throw .duplicate }
        nodes[key]?.isNamed = node.isNamed || isNamed
        return false
    }

    /// Both ways, as some letters have several small or no single large form.
    private static func key(_ path: String) -> String {
        path.uppercased().lowercased()
    }
}
