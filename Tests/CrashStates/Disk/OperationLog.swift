/// What daemons did to the files of their state directory and on their connections, one life after another.
package struct OperationLog: Sendable {
    /// A file or directory; the state directory itself is 0.
    package typealias Node = Int

    package static let root: Node = 0

    /// A change of a file's bytes.
    package enum Change: Hashable, Sendable {
        case write(offset: Int, bytes: [UInt8])
        case resize(Int)
        /// To at least this length.
        case extend(Int)
    }

    /// A change of the names in directories.
    package enum Naming: Hashable, Sendable {
        case enter(Name, Node)
        case remove(Name)
        case move(Name, to: Name, Node)
    }

    package struct Name: Hashable, Sendable {
        package var directory: Node
        package var text: String
    }

    package enum Effect: Hashable, Sendable {
        case change(Node, Change)
        case name(Naming)
        /// - isFull: Whether also what is not needed to read the file again: fsync, not fdatasync.
        case flush(Node, isFull: Bool)
    }

    package struct Operation: Hashable, Sendable {
        package var begin: Int
        /// Nil when it never returned.
        package var end: Int?
        package var effect: Effect
    }

    /// Bytes that passed a connection of the socket.
    package struct Transfer: Hashable, Sendable {
        package var connection: Int
        package var isAnswer: Bool
        /// When a client can have them at the earliest, or the daemon had them at the latest.
        package var place: Int
        package var bytes: [UInt8]
    }

    package var operations: [Operation] = []
    package var transfers: [Transfer] = []
    /// Of the nodes, those that are directories.
    package var directories: Set<Node> = [root]
    package var nodeCount = 1
    /// Behind the last place.
    package var end = 0
    /// Behind the last place of each daemon.
    package var lives: [Int] = []

    package init() {}
}
