/// How to answer one request; well, if nothing else is said.
package struct Reply: Sendable {
    /// Instead of 200 or 206, and then without the content.
    package var status: Int?
    /// Added to the server's own.
    package var headers: [(String, String)] = []
    package var entityTag: String? = "\"1\""
    package var ignoresRange = false
    /// Answers as if the range had been asked for from here.
    package var rangeStart: Int?
    package var contentRange: String?
    /// What the range of an answer says the content has in all.
    package var announcedTotal: Int?
    /// Instead of the length that it has.
    package var announcedLength: Int?
    /// Without any length.
    package var isChunked = false
    /// Of the body: then the connection is closed.
    package var cutAfter: Int?
    /// Of the body: then nothing more comes.
    package var stallAfter: Int?
    /// The place in the content of a byte that is sent wrong.
    package var corruptAt: Int?
    /// Bytes after the content's end.
    package var extraBytes = 0
    /// Sent at a time.
    package var chunkBytes = 256 * 1024
    /// Between one chunk and the next.
    package var pauseMilliseconds: Int64 = 0

    package init() {}

    package init(_ change: (inout Reply) -> Void) {
        change(&self)
    }

    package static let good = Reply()

    package static func status(_ status: Int, _ headers: [(String, String)] = []) -> Reply {
        Reply {
            $0.status = status
            $0.headers = headers
        }
    }

    package static func redirect(to location: String, status: Int = 302) -> Reply {
        .status(status, [("location", location)])
    }
}
