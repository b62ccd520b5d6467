import Foundation
import Testing

/// Reads the inputs that the fuzzer kept, and every input that once caused a failure.
@Suite("The fuzzer's corpus")
struct CorpusTests {
    /// The folder of this file, so that a test needs no copy of the corpus.
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    @Test(arguments: FuzzTarget.all.map(\.name))
    func everyInputIsReadWithoutATrap(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for input in try Self.inputs(of: name) { target.run(input) }
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func inputsCutShortAreReadWithoutATrap(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for input in try Self.inputs(of: name) {
            target.run(Array(input.prefix(input.count / 2)))
            target.run(Array(input.dropLast()))
        }
    }

    @Test func theCorpusStaysSmall() throws {
        let bytes = try FuzzTarget.all.reduce(0) { sum, target in
            try Self.inputs(of: target.name).reduce(sum) { $0 + $1.count }
        }
        #expect(bytes <= 1 << 20, "minimise the corpus: Tests/FuzzTests/run keep")
    }

    private static func inputs(of name: String) throws -> [[UInt8]] {
        let inputs = try CorpusFile.read(Data(contentsOf: directory.appending(path: "\(name).corpus")))
        try #require(!inputs.isEmpty, "the corpus of \(name) is missing or empty")
        return inputs
    }
}
