/// The path of an archive entry: components below a directory that cannot lead outside it.
struct EntryPath: Hashable, Sendable {
    /// The path's components; empty only for the directory itself.
    let steps: [String]

    var parent: ArraySlice<String> { steps.dropLast() }

    /// - Parameter name: The name in the archive.
    init(_ name: [UInt8], isDirectory: Bool, limits: ArchiveLimits) throws(ArchiveFault) {
        guard !name.isEmpty else { throw .nameMissing }
        guard let text = String(validating: name, as: UTF8.self) else { throw .nameNotText }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .nameWithControl
        }
        guard !name.contains(UInt8(ascii: "\\")) else { throw .nameWithBackslash }
        guard name.first != UInt8(ascii: "/") else { throw .nameAbsolute }
        var steps = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        // `tar` writes `./name` for entries in `.`, and `name/` for a directory.
        if steps.first == ".", steps.count > 1 || isDirectory {
            steps.removeFirst()
        }
        if isDirectory, steps.last?.isEmpty == true {
            steps.removeLast()
        }
        guard isDirectory || !steps.isEmpty else { throw .nameWithEmptyStep }
        for step in steps {
            guard !step.isEmpty else { throw .nameWithEmptyStep }
            guard step != ".", step != ".." else { throw .nameWithDots }
            guard step.utf8.count <= limits.nameMaximumBytes else { throw .nameTooLong }
        }
        guard steps.count <= limits.depthMaximum else { throw .tooDeep }
        self.steps = steps
    }
}

/// The names in an archive, to ensure that no entry replaces another, neither on this file system nor on one that
/// ignores differences in case or Unicode normalisation.
struct EntryTree {
    private struct Node {
        var path: String
        var isDirectory: Bool
        /// Whether an entry named it, and not only a path below it.
        var isNamed: Bool
    }

    /// The nodes by a key that colliding paths share. Swift compares strings by canonical equivalence.
    private var nodes: [String: Node] = [:]

    /// The number of nodes, including directories that only occur in paths.
    var count: Int { nodes.count }

    /// - Returns: The directories that must be created before it, and the path itself if it is a directory; outer ones
    ///   first.
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

    /// - Returns: Whether the path is new.
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

    /// Converts to upper and then lower case, because some letters have several lower-case forms or no single
    /// upper-case form.
    private static func key(_ path: String) -> String {
        path.uppercased().lowercased()
    }
}
