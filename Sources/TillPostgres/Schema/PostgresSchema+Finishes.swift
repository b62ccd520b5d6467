import TillSQL

/// What applications need to finish transactions of theirs within their own transactions of the database.
extension PostgresSchema {
    /// One row for each transaction that was finished since applications may finish here. `is_pending` is 1 for one that an
    /// application has finished here and that is still in its queue. `meta` says whether daemons keep this table.
    static let finishes = """
        ALTER TABLE meta ADD COLUMN shares_finishes bigint NOT NULL DEFAULT 0 CHECK (shares_finishes IN (0, 1));
        CREATE TABLE finishes (
            transaction_key bigint PRIMARY KEY,
            queue bigint NOT NULL,
            finished_at bigint NOT NULL,
            is_pending bigint NOT NULL CHECK (is_pending IN (0, 1))
        );
        CREATE INDEX finishes_pending ON finishes (queue, transaction_key) WHERE is_pending = 1;
        CREATE TABLE application_roles (
            role text COLLATE "C",
            application text COLLATE "C",
            PRIMARY KEY (role, application)
        );
        """

    /// The function that applications call. It runs with the rights of the tables' owner, so names are looked up in the ledger's
    /// schema alone (https://www.postgresql.org/docs/15/sql-createfunction.html#SQL-CREATEFUNCTION-SECURITY).
    ///
    /// The row that it inserts is what makes a finish happen once: a second one waits for the first, and then finds the row. Under
    /// a snapshot that is too old to have the row, PostgreSQL refuses the second with `40001`. The lock lets a daemon see that it
    /// would have to wait. Neither the queue nor the transaction is locked, so that an application's long transaction stops nobody.
    static let finishFunction = """
        CREATE FUNCTION finish(transaction_id uuid) RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
        DECLARE
            found_key bigint;
            found_queue bigint;
            found_place bigint;
        BEGIN
            IF (SELECT schema_version >= \(LedgerMark.versionOffset) FROM meta) THEN
                RAISE EXCEPTION 'The ledger was moved to another place, where its transactions are finished from now on.'
                    USING ERRCODE = 'object_not_in_prerequisite_state';
            END IF;
            SELECT t.key, t.queue, t.place INTO found_key, found_queue, found_place
            FROM transactions t JOIN queues q ON q.key = t.queue
            WHERE t.id = transaction_id AND EXISTS (
                SELECT FROM application_roles a JOIN pg_catalog.pg_roles r ON r.rolname = a.role
                WHERE a.application = q.application AND pg_catalog.pg_has_role(session_user, r.oid, 'USAGE')
            );
            IF found_key IS NULL THEN
                RAISE EXCEPTION 'There is no transaction % that the role % may finish.', transaction_id, session_user
                    USING ERRCODE = 'no_data_found';
            END IF;
            IF found_place IN \([Place.left, .revoked].list) THEN
                RETURN false;
            END IF;
            IF found_place <> \(Place.ended.rawValue) THEN
                RAISE EXCEPTION 'The transaction % cannot be finished yet. Wait until it is purchased, failed or restored.',
                    transaction_id USING ERRCODE = 'object_not_in_prerequisite_state';
            END IF;
            PERFORM pg_catalog.pg_advisory_xact_lock(
                pg_catalog.hashtextextended(CAST(transaction_id AS text), \(SharedFinishes.lockSeed)));
            INSERT INTO finishes (transaction_key, queue, finished_at, is_pending)
            VALUES (found_key, found_queue, floor(extract(epoch FROM clock_timestamp()) * 1000), 1)
            ON CONFLICT DO NOTHING;
            RETURN FOUND;
        END;
        $$;
        REVOKE ALL ON FUNCTION finish(uuid) FROM PUBLIC;
        """
}

extension PostgresConnection {
    /// Whether daemons keep the finishes of the ledger where applications see them.
    func sharesFinishes() throws -> Bool {
        try text("SELECT CAST(shares_finishes AS text) FROM meta") == "1"
    }
}
