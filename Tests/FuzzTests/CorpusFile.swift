import Foundation

/// The inputs of one target, one per line in BASE64, so that they are one file with readable changes.
enum CorpusFile {
    struct Malformed: Error {
        var line: Int
    }

    static func read(_ file: Data) throws -> [[UInt8]] {
        try file.split(separator: UInt8(ascii: "\n")).enumerated().map { number, line in
            guard let input = Data(base64Encoded: Data(line)) else { throw Malformed(line: number + 1) }
            return Array(input)
        }
    }
}
