/// A tree with `depth` messages within each other, the outermost counted; both its fields have the number 1.
func nestedTrees(depth: Int) -> [UInt8] {
    var headers: [[UInt8]] = []
    var count = 0
    for _ in 1..<depth {
        let header = [0x0A] + varint(UInt64(count))
        headers.append(header)
        count += header.count
    }
    return headers.reversed().flatMap { $0 }
}

/// A number as the wire has it.
func varint(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}
