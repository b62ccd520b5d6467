/// Writes tar archives byte by byte, so that they may contain invalid entries.
struct TarBuilder {
    private(set) var bytes: [UInt8] = []

    /// - Parameters: - type: `0` is a file, `5` a directory, `1` a hard and `2` a symbolic link, `3` and `4` devices,
    ///   `6` a pipe. - size: The declared size; nil for the content's.
    mutating func add(
        _ name: [UInt8],
        _ content: [UInt8] = [],
        type: Character = "0",
        mode: Int = 0o644,
        target: String = "",
        size: Int? = nil
    ) {
        if name.count > 100 {
            // GNU's extension for long names.
            addHeader(Array("././@LongLink".utf8), "L", 0o644, "", name.count + 1)
            addPadded(name + [0])
        }
        addHeader(Array(name.prefix(100)), type, mode, target, size ?? content.count)
        addPadded(content)
    }

    mutating func add(_ name: String, _ content: [UInt8] = [], type: Character = "0", mode: Int = 0o644) {
        add(Array(name.utf8), content, type: type, mode: mode)
    }

    func finished() -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: 1024)
    }

    private mutating func addHeader(_ name: [UInt8], _ type: Character, _ mode: Int, _ target: String, _ size: Int) {
        var header = [UInt8](repeating: 0, count: 512)
        func set(_ offset: Int, _ text: [UInt8]) {
            header.replaceSubrange(offset..<offset + text.count, with: text)
        }
        func octal(_ number: Int, _ width: Int) -> [UInt8] {
            let digits = String(number, radix: 8)
            return Array((String(repeating: "0", count: width - digits.count) + digits).utf8)
        }
        set(0, name)
        set(100, octal(mode, 7))
        set(108, octal(0, 7))
        set(116, octal(0, 7))
        set(124, octal(size, 11))
        set(136, octal(0, 11))
        set(148, Array("        ".utf8))
        set(156, Array(type.utf8))
        set(157, Array(target.utf8))
        set(257, Array("ustar".utf8) + [0] + Array("00".utf8))
        set(148, octal(header.reduce(0) { $0 + Int($1) }, 6) + [0, 0x20])
        bytes += header
    }

    private mutating func addPadded(_ content: [UInt8]) {
        bytes += content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }
}
