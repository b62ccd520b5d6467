import TestValues
import Testing
import TillModel
import TillWire

@Suite struct GoldenTests {
    static let all =
        Golden.values + Golden.paymentQueue + Golden.others + Golden.subscriptions + Golden.buying
        + Golden.authorization + Golden.operators + Golden.downloads + Golden.receipts + Golden.paymentMethods

    @Test(arguments: all)
    func aValueIsWrittenAsItsGoldenBytes(_ golden: Golden) {
        #expect(golden.written() == golden.bytes)
    }

    @Test(arguments: all)
    func goldenBytesAreReadAsTheirValue(_ golden: Golden) throws {
        #expect(try golden.isReadExactly())
    }

    @Test(arguments: all)
    func bytesCutShortAnywhereAreReadOrRefused(_ golden: Golden) {
        for count in golden.bytes.indices {
            expectReadOrRefused(Array(golden.bytes[..<count]), by: golden)
        }
    }

    @Test(arguments: all)
    func bytesWithAnyBitFlippedAreReadOrRefused(_ golden: Golden) {
        for bit in 0..<golden.bytes.count * 8 {
            var flipped = golden.bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            expectReadOrRefused(flipped, by: golden)
        }
    }

    @Test(arguments: all)
    func noTypeCanBeNestedWithoutEnd(_ golden: Golden) {
        #expect(golden.typeFaults() == [])
    }

    private func expectReadOrRefused(_ bytes: [UInt8], by golden: Golden) {
        do throws(TillError) {
            #expect(try golden.isReadStably(bytes), "reading what was read from \(bytes) gives another value")
        } catch {
            #expect(error.code == .invalidArgument)
        }
    }
}

/// A value and the bytes that it must have on the wire, for tables over values of many types.
struct Golden: Sendable, CustomTestStringConvertible {
    /// The message's name in the .proto files.
    var message: String
    var note: String
    var bytes: [UInt8]
    /// Whether the bytes are read as the value.
    var isReadExactly: @Sendable () throws -> Bool
    var written: @Sendable () -> [UInt8]
    /// Reads any bytes, writes the value and reads it again: whether both values are equal.
    var isReadStably: @Sendable ([UInt8]) throws(TillError) -> Bool
    var typeFaults: @Sendable () -> [String]

    var testDescription: String {
        note.isEmpty ? message : "\(message): \(note)"
    }

    init<Value: WireMessage>(note: String = "", as message: String? = nil, _ value: Value, _ hex: String) {
        let bytes = [UInt8](hex: hex)
        self.message = message ?? "\(Value.self)"
        self.note = note
        self.bytes = bytes
        isReadExactly = { try Value(wire: bytes) == value }
        written = { value.wireBytes() }
        isReadStably = { (bytes) throws(TillError) in
            let value = try Value(wire: bytes)
            return try Value(wire: value.wireBytes()) == value
        }
        typeFaults = { Value.typeFaults }
    }
}
