import TillEngine

/// The SQL for downloads in a ledger that several hosts share, each with files of its own. A row of `downloads` says what there
/// is to download, and one of `host_downloads` how far a host is with it; a host without one has not begun.
enum HostDownloads {
    /// All downloads as the host has them which is the parameter with the number, in the place of the table `downloads`.
    static func all(host parameter: Int) -> String {
        """
        (SELECT \(columns) FROM downloads d
            LEFT JOIN host_downloads h ON h.key = d.key AND h.host = ?\(parameter)) AS downloads
        """
    }

    /// What the columns that change have before the host begins; null for the others.
    private static let beginning = [
        "state": "0", "revision": "d.revision", "received_bytes": "0", "run": "0", "size": "0",
    ]

    private static let columns =
        (DownloadRecord.table.fixedColumns.map { "d.\($0)" }
        + DownloadRecord.table.changingColumns.map { column in
            "\(beginning[column].map { "coalesce(h.\(column), \($0))" } ?? "h.\(column)") AS \(column)"
        }).joined(separator: ", ")

    /// A condition for the first ?3 downloads of the queue ?1 that were made or that the host ?4 has changed after the revision ?2.
    static let isAmongChanged = """
        revision > ?2 AND key IN (
            (SELECT d.key FROM downloads d WHERE d.queue = ?1 AND d.revision > ?2
                AND NOT EXISTS (SELECT FROM host_downloads h WHERE h.key = d.key AND h.host = ?4)
                ORDER BY d.revision, d.key LIMIT ?3)
            UNION ALL
            (SELECT h.key FROM host_downloads h WHERE h.host = ?4 AND h.queue = ?1 AND h.revision > ?2
                ORDER BY h.revision, h.key LIMIT ?3))
        """

    /// A condition for the first ?1 downloads that are active at the host ?2.
    static let isAmongActive = """
        key IN (SELECT h.key FROM host_downloads h WHERE h.host = ?2 AND h.state = 1 ORDER BY h.key LIMIT ?1)
        """

    /// Selects the identities of those that the host ?1 has begun.
    static let identities = "SELECT h.id FROM host_downloads h WHERE h.host = ?1 AND h.state < \(endedState)"

    /// Those that the host ?2 has begun, with their lengths.
    static let started = """
        (SELECT h.state, h.size, h.queue, d.content_length FROM host_downloads h JOIN downloads d ON d.key = h.key
            WHERE h.host = ?2) AS downloads
        """

    /// Selects those of the host ?2 whose transactions have ended at another host.
    static let ended = """
        SELECT h.key, h.id, h.queue FROM host_downloads h WHERE h.host = ?2 AND h.state = \(endedState)
        ORDER BY h.key LIMIT ?1
        """

    /// The state that marks them: their downloads are gone, so that nobody reads it as one.
    private static let endedState = 6

    /// Stores what the host, the last parameter, has changed. It changes nothing if there is nothing to download.
    static let replacement: String = {
        let changing = DownloadRecord.table.changingColumns
        let parameters = (2...changing.count + 2).map { "?\($0)" }.joined(separator: ", ")
        let columns = (changing + ["host"]).joined(separator: ", ")
        return """
            INSERT INTO host_downloads (key, id, queue, \(columns))
            SELECT key, id, queue, \(parameters) FROM downloads WHERE key = ?1\(RowStatement.replacing("key, host", changing))
            """
    }()

    /// Forgets the downloads of the transaction ?1 at the host ?2, whose files that host removes, and marks those of others.
    static let ending = """
        WITH ended AS (SELECT key FROM downloads WHERE transaction_key = ?1),
            own AS (DELETE FROM host_downloads WHERE host = ?2 AND key IN (SELECT key FROM ended))
        UPDATE host_downloads SET state = \(endedState) WHERE host <> ?2 AND key IN (SELECT key FROM ended)
        """
}
