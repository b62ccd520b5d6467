extension Schema {
    /// A call that joins a restore which is under way is known under its own identity, too.
    static let version7 = """
        CREATE TABLE joined_restores (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            restore_id BLOB NOT NULL REFERENCES restores (id)
        ) STRICT, WITHOUT ROWID;
        """
}
