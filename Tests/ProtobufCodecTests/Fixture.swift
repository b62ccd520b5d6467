import CCodecFixtures
import ProtobufCodec

/// The fixtures' message types, for tables.
enum Fixture: String, Sendable, CaseIterable {
    case kinds, repeats, holder, choice, tree

    /// The reason for refusing the bytes; nil for valid bytes.
    func refusal(of bytes: [UInt8], budget: Int = DecodingLimits.arenaBytesMaximum) -> DecodingFailure? {
        do throws(DecodingFailure) {
            switch self {
            case .kinds: _ = try unsafe Unpacked(bytes, fixtures__kinds__init, budget: budget)
            case .repeats: _ = try unsafe Unpacked(bytes, fixtures__repeats__init, budget: budget)
            case .holder: _ = try unsafe Unpacked(bytes, fixtures__holder__init, budget: budget)
            case .choice: _ = try unsafe Unpacked(bytes, fixtures__choice__init, budget: budget)
            case .tree: _ = try unsafe Unpacked(bytes, fixtures__tree__init, budget: budget)
            }
            return nil
        } catch {
            return error
        }
    }
}

/// A tree of `depth` nested messages, including the outermost. Both of its fields have the number 1.
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

/// A number as a varint.
func varint(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}

extension [UInt8] {
    /// Bytes in hexadecimal; blanks are skipped, and each `#` starts a comment up to the end of its line.
    init(hex text: String) {
        let digits = text.split(separator: "\n")
            .flatMap { $0.prefix { $0 != "#" } }
            .compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
