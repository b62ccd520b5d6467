import FoundationEssentials
import Testing
import TillModel

@testable import TillCatalogue

/// Damaged files are read or refused; nothing in them ends the process.
struct RobustnessTests {
    @Test(arguments: Fixtures.versions)
    func aFileCutShortIsRefused(version: String) throws {
        let bytes = try Array(Fixtures.data(version: version))
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        for length in stride(from: 0, through: end, by: 97) {
            let (configuration, findings) = ConfigurationReader.read(Array(bytes.prefix(length)), fileName: version)
            #expect(configuration == nil, "cut after \(length) bytes")
            #expect(findings.refusal != nil, "cut after \(length) bytes")
        }
    }

    @Test(arguments: Fixtures.versions)
    func aFileWithAFlippedBitIsReadOrRefused(version: String) throws {
        let bytes = try Array(Fixtures.data(version: version))
        var outcomes: Set<Bool> = []
        for (index, bit) in zip(stride(from: 0, to: bytes.count, by: 5), (0..<8).cycled) {
            var damaged = bytes
            damaged[index] ^= 1 << bit
            let (configuration, findings) = ConfigurationReader.read(damaged, fileName: version)
            #expect((configuration == nil) == (findings.refusal != nil), "bit \(bit) of byte \(index)")
            outcomes.insert(configuration == nil)
        }
        #expect(outcomes == [true, false], "flipping bits must reach texts as well as syntax")
    }

    /// Every value of every fixture in turn becomes something of another type.
    @Test(arguments: [
        "null", "true", "-1", "1e400", #""""#, #""\u001b[0m""#, "[]", "{}", "[[{}]]", "99999999999999999999",
    ])
    func aFileWithOneValueReplacedIsReadOrRefused(json: String) throws {
        let replacement = try JSONParser.parse(Array(json.utf8))
        for version in Fixtures.versions {
            let file = try JSONParser.parse(Array(Fixtures.data(version: version)))
            for changed in file.variants(replacement) {
                let (configuration, findings) = ConfigurationReader.read(Array(changed.text.utf8), fileName: version)
                #expect((configuration == nil) == (findings.refusal != nil))
                #expect(findings.diagnostics.allSatisfy { !$0.message.unicodeScalars.contains("\u{1B}") })
            }
        }
    }
}

extension Range<Int> {
    /// The numbers over and over.
    fileprivate var cycled: some Sequence<Int> {
        (0...).lazy.map { lowerBound + $0 % count }
    }
}

extension JSONValue {
    /// The value with each value inside it, and itself, replaced in turn.
    fileprivate func variants(_ replacement: JSONValue) -> [JSONValue] {
        switch self {
        case .array(let values):
            [replacement]
                + values.indices.flatMap { index in
                    values[index].variants(replacement).map { variant in
                        var values = values
                        values[index] = variant
                        return .array(values)
                    }
                }
        case .object(let members):
            [replacement]
                + members.flatMap { key, value in
                    value.variants(replacement).map { .object(members.merging([key: $0]) { _, new in new }) }
                }
        default:
            [replacement]
        }
    }

    /// The value as JSON.
    fileprivate var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): "\"" + text.unicodeScalars.map(Self.escaped).joined() + "\""
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONValue.string($0).text + ":" + $1.text }.joined(separator: ",") + "}"
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\u{1B}": "\\u001b"
        default: String(scalar)
        }
    }
}
