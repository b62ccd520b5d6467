/// The directory tree as processes see it, and the lengths of the files.
package struct NameTree: Sendable {
    private var names: [OperationLog.Node: [String: OperationLog.Node]] = [OperationLog.root: [:]]
    private var lengths: [OperationLog.Node: Int] = [:]

    package init() {}

    /// The tree after the operations, in the order in which they happened.
    init(_ operations: [OperationLog.Operation]) {
        for operation in operations {
            apply(operation.effect)
        }
    }

    subscript(name: OperationLog.Name) -> OperationLog.Node? {
        names[name.directory]?[name.text]
    }

    /// A path of the node below the state directory; nil if it has no name.
    func path(of node: OperationLog.Node, in directory: OperationLog.Node = OperationLog.root) -> String? {
        for (text, found) in names[directory] ?? [:] {
            if found == node {
                return text
            }
            if names[found] != nil, let rest = path(of: node, in: found) {
                return "\(text)/\(rest)"
            }
        }
        return nil
    }

    /// The path of a name below the state directory; nil if its directory has no path.
    func path(of name: OperationLog.Name) -> String? {
        name.directory == OperationLog.root ? name.text : path(of: name.directory).map { "\($0)/\(name.text)" }
    }

    func length(of node: OperationLog.Node) -> Int {
        lengths[node] ?? 0
    }

    /// Resolves a path from a directory: follows every component except the last; nil if one of them does not exist.
    func name(_ path: some StringProtocol, in directory: OperationLog.Node) -> OperationLog.Name? {
        var directory = directory
        let steps = path.split(separator: "/").filter { $0 != "." }
        for step in steps.dropLast() {
            guard let next = names[directory]?[String(step)] else {
                return nil
            }
            directory = next
        }
        return OperationLog.Name(directory: directory, text: steps.last.map { String($0) } ?? "")
    }

    mutating func apply(_ effect: OperationLog.Effect) {
        switch effect {
        case .change(let node, let change): apply(change, to: node)
        case .name(let naming): apply(naming)
        case .flush: break
        }
    }

    private mutating func apply(_ naming: OperationLog.Naming) {
        switch naming {
        case .enter(let name, let node):
            names[name.directory, default: [:]][name.text] = node
        case .remove(let name):
            names[name.directory]?[name.text] = nil
        case .move(let name, let newName, let node):
            names[name.directory]?[name.text] = nil
            names[newName.directory, default: [:]][newName.text] = node
        }
    }

    private mutating func apply(_ change: OperationLog.Change, to node: OperationLog.Node) {
        switch change {
        case .write(let offset, let bytes): lengths[node] = max(length(of: node), offset + bytes.count)
        case .resize(let length): lengths[node] = length
        case .extend(let length): lengths[node] = max(self.length(of: node), length)
        }
    }
}
