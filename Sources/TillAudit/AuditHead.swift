/// How far an audit log was read and found intact.
package struct AuditHead: Hashable, Sendable {
    /// Before the first link.
    package static let start = AuditHead(sequence: 0, hash: [UInt8](repeating: 0, count: 32))

    package var sequence: Int64
    /// The hash of that link.
    package var hash: [UInt8]

    package init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }
}
