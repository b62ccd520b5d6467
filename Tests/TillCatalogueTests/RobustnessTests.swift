import FoundationEssentials
import Testing
import TillModel

@testable import TillCatalogue

/// Damaged files are read or refused, and never terminate the process.
struct RobustnessTests {
    @Test(arguments: Fixtures.versions)
    func aTruncatedFileIsRefused(version: String) throws {
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

    /// Replaces every value of every fixture in turn with values of other types.
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

    @Test
    func aDamagedManifestIsReadOrRefused() {
        let text = Manifest.with(Manifest.content(["archive": #""zip""#]), Manifest.content(["identifier": #""b""#]))
        let bytes = Array(text.utf8)
        let damaged = bytes.indices.flatMap { index in
            [Array(bytes.prefix(index))]
                + (0..<8).map { bit in
                    var damaged = bytes
                    damaged[index] ^= 1 << bit
                    return damaged
                }
        }
        var refused = 0
        for bytes in damaged {
            let (contents, findings) = ManifestReader.read(bytes, path: "/a/b.content.json", for: nil)
            #expect(findings.errorCount > 0 || contents.values.allSatisfy { $0.count == 2 })
            refused += findings.errorCount > 0 ? 1 : 0
        }
        #expect(refused > 0 && refused < damaged.count, "damage must reach texts as well as syntax")
    }

    /// Replaces every value of a manifest in turn with values of other types.
    @Test(arguments: [
        "null", "true", "-1", "1e400", #""""#, #""\u001b[0m""#, "[]", "{}", "[[{}]]", "99999999999999999999",
    ])
    func aManifestWithOneValueReplacedIsReadOrRefused(json: String) throws {
        let replacement = try JSONParser.parse(Array(json.utf8))
        let file = try JSONParser.parse(Array(Manifest.file().utf8))
        for changed in file.variants(replacement) {
            let bytes = Array(changed.text.utf8)
            let (contents, findings) = ManifestReader.read(bytes, path: "/a/b.content.json", for: nil)
            #expect(findings.errorCount > 0 || contents.values.allSatisfy { $0.count < 2 })
            #expect(findings.diagnostics.allSatisfy { !$0.message.unicodeScalars.contains("\u{1B}") })
        }
    }
}
