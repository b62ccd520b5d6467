import TillEngine
import TillModel

extension DownloadRecord {
    static let selection = """
        SELECT key, id, queue, transaction_key, transaction_id, product_id, content_id, content_version, content_length,
            sha256, state, revision, received_bytes, run, deadline, error_reason, error_message, path, size
        FROM downloads
        """

    init(_ columns: inout Columns) throws {
        self.init(
            key: try columns.integer(),
            id: try columns.uuid(),
            queue: try columns.integer(),
            transactionKey: try columns.integer(),
            transactionID: try columns.uuid(),
            productID: try columns.text(),
            content: try ProductContent(&columns),
            sha256: try columns.bytes(count: 32),
            state: try columns.value(DownloadState.self),
            revision: try columns.revision(),
            receivedBytes: try columns.byteCount(),
            run: try columns.integer(),
            deadline: try columns.dateIfPresent(),
            error: try DownloadError(ifPresentIn: &columns),
            path: try columns.textIfPresent(),
            size: try columns.byteCount()
        )
    }

    /// The values of the columns that never change.
    var fixedValues: [SQLValue] {
        [
            SQLValue(id), SQLValue(queue), SQLValue(transactionKey), SQLValue(transactionID), SQLValue(productID),
            SQLValue(content.identifier), SQLValue(content.version), SQLValue(content.length), SQLValue(sha256),
        ]
    }

    /// The values of the columns from `state` on, all of which may change.
    var changingValues: [SQLValue] {
        [
            SQLValue(state.rawValue), SQLValue(revision), SQLValue(receivedBytes), SQLValue(run), SQLValue(deadline),
            SQLValue(error?.reason.rawValue), SQLValue(error?.message), SQLValue(path), SQLValue(size),
        ]
    }
}

extension ProductContent {
    fileprivate init(_ columns: inout Columns) throws {
        self.init(
            identifier: try columns.text(),
            version: try columns.text(),
            length: try columns.byteCount()
        )
    }
}

extension DownloadError {
    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let reason = try columns.valueIfPresent(Reason.self) else {
            columns.skip(1)
            return nil
        }
        self.init(reason, try columns.text())
    }
}
