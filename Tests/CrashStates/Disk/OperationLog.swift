/// The operations of daemons on the files of their state directory and on their connections, one life after another.
package struct OperationLog: Sendable {
    /// A file or directory; the state directory itself is node 0.
    package typealias Node = Int

    package static let root: Node = 0

    /// A change of a file's bytes.
    package enum Change: Hashable, Sendable {
        case write(offset: Int, bytes: [UInt8])
        case resize(Int)
        /// Extends the file to at least this length.
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
        /// - isFull: Whether the flush includes metadata that is not needed to read the file: true for fsync, false for
        /// fdatasync.
        case flush(Node, isFull: Bool)
    }

    package struct Operation: Hashable, Sendable {
        package var begin: Int
        /// The place at which the operation returned; nil if it never returned.
        package var end: Int?
        package var effect: Effect
    }

    /// Bytes that a connection of the socket carried.
    package struct Transfer: Hashable, Sendable {
        package var connection: Int
        package var isAnswer: Bool
        /// For an answer, the earliest place at which the client can have it. For a request, the latest place at which
        /// the daemon received it.
        package var place: Int
        package var bytes: [UInt8]
    }

    package var operations: [Operation] = []
    package var transfers: [Transfer] = []
    /// The nodes that are directories.
    package var directories: Set<Node> = [root]
    package var nodeCount = 1
    /// The place after the last operation.
    package var end = 0
    /// The place after the last operation of each daemon.
    package var lives: [Int] = []

    package init() {}
}
