import NIOHTTP1

/// The bytes of an answer, and the corresponding headers.
struct ServedRange {
    var status: HTTPResponseStatus
    var start: Int
    var headers = HTTPHeaders()

    init(_ request: HTTPRequestHead, _ reply: Reply, _ length: Int) {
        let asked = request.headers.first(name: "range").flatMap(Self.start)
        let isSame = request.headers.first(name: "if-range").map { $0 == reply.entityTag } ?? true
        if let asked, isSame, !reply.ignoresRange {
            status = .partialContent
            start = reply.rangeStart ?? asked
            let total = reply.announcedTotal ?? length
            headers.add(
                name: "content-range",
                value: reply.contentRange ?? "bytes \(start)-\(max(length - 1, start))/\(total)"
            )
        } else {
            status = .ok
            start = 0
        }
        if let tag = reply.entityTag {
            headers.add(name: "etag", value: tag)
        }
        if reply.isChunked {
            headers.add(name: "transfer-encoding", value: "chunked")
        } else {
            headers.add(name: "content-length", value: "\(reply.announcedLength ?? length - start)")
        }
    }

    private static func start(_ range: String) -> Int? {
        range.hasPrefix("bytes=") ? Int(range.dropFirst(6).prefix { $0 != "-" }) : nil
    }
}
