import Foundation

/// The inputs of one target, each a line of BASE64, so that they are one file and changes of them can be read.
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
