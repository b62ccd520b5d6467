/// Archives of a few files, in the oldest format, which every reader supports
/// (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html, "ustar Interchange Format").
enum Tar {
    private static let block = 512

    static func archive(_ files: [String: [UInt8]]) -> [UInt8] {
        files.sorted { $0.key < $1.key }.flatMap { name, bytes in
            header(name, length: bytes.count) + padded(bytes)
        } + [UInt8](repeating: 0, count: 2 * block)
    }

    private static func header(_ name: String, length: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        func put(_ text: String, at offset: Int) {
            header.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
        }
        put(name, at: 0)
        put("0000644", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(octal(length, digits: 11), at: 124)
        put(octal(0, digits: 11), at: 136)
        // The checksum field counts as spaces during the computation.
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6), at: 148)
        header[154] = 0
        return header
    }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (block - bytes.count % block) % block)
    }
}
