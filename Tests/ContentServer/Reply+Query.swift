extension Reply {
    /// Parses the query of an address, for example `cut=1000&pace=65536`.
    package init(query: Substring) {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            set(parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    private mutating func set(_ key: String, _ value: String) {
        let number = Int(value)
        switch key {
        case "status": status = number
        case "etag": entityTag = value.isEmpty ? nil : "\"\(value)\""
        case "ranges": ignoresRange = value == "no"
        case "length": announcedLength = number
        case "chunked": isChunked = true
        case "cut": cutAfter = number
        case "stall": stallAfter = number
        case "corrupt": corruptAt = number
        case "extra": extraBytes = number ?? 0
        case "to": self = .redirect(to: value)
        case "pace":
            pauseMilliseconds = 50
            chunkBytes = max((number ?? 20) / 20, 1)
        default: break
        }
    }
}
