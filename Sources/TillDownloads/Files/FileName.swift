import TillModel

/// Converts identifiers to file names.
enum FileName {

    /// A unique name for each identifier that is never hidden, `.`, `..` or one of the daemon's own names.
    ///
    /// Identifiers contain no `%` and no `~`: `%` escapes a leading period, and `~` starts the daemon's own names.
    ///
    /// - Returns: Nil if the text is not a valid identifier.
    static func ofIdentifier(_ identifier: String) -> String? {
        guard Identifier.isValid(identifier) else {
            return nil
        }
        return identifier.hasPrefix(".") ? "%2E" + identifier.dropFirst() : identifier
    }
}
