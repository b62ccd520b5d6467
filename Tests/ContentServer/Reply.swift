/// How the server answers one request; by default, correctly.
package struct Reply: Sendable {
    /// The status instead of 200 or 206. The answer then has no content.
    package var status: Int?
    /// Headers in addition to the server's own.
    package var headers: [(String, String)] = []
    package var entityTag: String? = "\"1\""
    package var ignoresRange = false
    /// The start of the range instead of the requested one.
    package var rangeStart: Int?
    package var contentRange: String?
    /// The total length that the answer's range claims.
    package var announcedTotal: Int?
    /// The length in the header instead of the real one.
    package var announcedLength: Int?
    /// Whether the answer has no length.
    package var isChunked = false
    /// The number of body bytes after which the connection is closed.
    package var cutAfter: Int?
    /// The number of body bytes after which nothing more is sent.
    package var stallAfter: Int?
    /// The offset in the content of a byte that is sent wrong.
    package var corruptAt: Int?
    /// The number of bytes after the content's end.
    package var extraBytes = 0
    /// The number of bytes sent at a time.
    package var chunkBytes = 256 * 1024
    /// The time between two chunks.
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
