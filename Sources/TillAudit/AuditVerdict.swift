/// What verifying an audit log showed.
package enum AuditVerdict: Hashable, Sendable {
    /// Nothing was changed, removed, inserted or moved up to this head.
    case intact(AuditHead)
    /// The log is not to be trusted from this sequence on.
    case broken(at: Int64, AuditFlaw)
}

/// What is wrong with the first bad place of an audit log.
package enum AuditFlaw: Hashable, Sendable {
    /// Another link stands where this one was due: one was removed, inserted or moved.
    case outOfOrder
    /// The link does not name the hash of the one before: either of them was changed or exchanged.
    case detached
    /// The link is not what its hash was made of.
    case changed
}
