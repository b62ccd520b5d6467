import TillModel

/// Names for files, from identifiers.
enum FileName {

    /// A name that is different for each identifier, and never hidden, `.`, `..` or another of our names.
    ///
    /// Identifiers have no `%` and no `~`: the one escapes a first period, the other begins our own names.
    ///
    /// - Returns: Nil when the text is no identifier.
    static func ofIdentifier(_ identifier: String) -> String? {
        guard Identifier.isValid(identifier) else {
            return nil
        }
        return identifier.hasPrefix(".") ? "%2E" + identifier.dropFirst() : identifier
    }
}
