extension Schema {
    /// What waits for the provider leaves the lists of what waits: a charge tells of it, and every payment would be put in
    /// and taken out again.
    static let version4 = """
        DROP INDEX waiting;
        DROP INDEX waiting_in_queue;
        CREATE INDEX waiting ON transactions (blocker) WHERE state IN (0, 4) AND blocker <> 1;
        CREATE INDEX waiting_in_queue ON transactions (queue, blocker) WHERE state IN (0, 4) AND blocker <> 1;
        """
}
