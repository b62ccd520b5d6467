import ProtobufCodec
import Testing

/// Valid and almost valid messages that cost protobuf-c hundreds of megabytes, or minutes, without the scan.
@Suite struct AttackTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fixture: Fixture
        var bytes: [UInt8]
        var reason: DecodingFailure.Reason
    }

    static let frameBytes = 4 << 20

    static func filled(with unit: [UInt8], bytes: Int = frameBytes) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(bytes)
        while frame.count + unit.count <= bytes {
            frame += unit
        }
        return frame
    }

    static func packed(_ tag: UInt8, count: Int) -> [UInt8] {
        [tag] + varint(UInt64(count)) + [UInt8](repeating: 1, count: count)
    }

    static func holding(_ list: [UInt8]) -> [UInt8] {
        [0x0A] + varint(UInt64(list.count)) + list
    }

    static let attacks: [Attack] = [
        Attack(
            testDescription: "repeated empty message",
            fixture: .repeats,
            bytes: filled(with: [0x3A, 0x00]),
            reason: .tooManyFields
        ),
        Attack(
            testDescription: "repeated empty message of many fields",
            fixture: .repeats,
            bytes: filled(with: [0x42, 0x00]),
            reason: .tooManyFields
        ),
        Attack(
            testDescription: "repeated empty text",
            fixture: .repeats,
            bytes: filled(with: [0x32, 0x00]),
            reason: .tooManyFields
        ),
        Attack(
            testDescription: "repeated empty bytes",
            fixture: .repeats,
            bytes: filled(with: [0x4A, 0x00]),
            reason: .tooManyFields
        ),
        Attack(
            testDescription: "unknown number",
            fixture: .kinds,
            bytes: filled(with: [0xA0, 0x06, 0x00]),
            reason: .tooManyUnknownFields
        ),
        Attack(
            testDescription: "the same scalar many times",
            fixture: .kinds,
            bytes: filled(with: [0x08, 0x01]),
            reason: .duplicate
        ),
        Attack(
            testDescription: "packed booleans",
            fixture: .repeats,
            bytes: packed(0x22, count: frameBytes),
            reason: .tooManyFields
        ),
        Attack(
            testDescription: "packed numbers",
            fixture: .repeats,
            bytes: packed(0x0A, count: frameBytes),
            reason: .tooManyFields
        ),
        Attack(
            testDescription: "duplicated message of one element",
            fixture: .holder,
            bytes: filled(with: holding([0x08, 0x01]), bytes: 512 << 10),
            reason: .duplicate
        ),
        Attack(
            testDescription: "long list, then small duplicates",
            fixture: .holder,
            bytes: holding(packed(0x22, count: 4000)) + filled(with: holding([0x08, 0x01])),
            reason: .duplicate
        ),
        Attack(
            testDescription: "two megabytes of list, then small duplicates",
            fixture: .holder,
            bytes: holding(packed(0x22, count: 2 << 20)) + filled(with: holding([0x08, 0x01]), bytes: 2 << 20),
            reason: .tooManyFields
        ),
        Attack(
            testDescription: "nesting of a type that reaches itself",
            fixture: .tree,
            bytes: nestedTrees(depth: 1_000_000),
            reason: .tooDeep
        ),
        Attack(
            testDescription: "four megabytes in one field",
            fixture: .kinds,
            bytes: [0x82, 0x01] + varint(UInt64(frameBytes)) + [UInt8](repeating: 7, count: frameBytes),
            reason: .overBudget
        ),
    ]

    /// Far more time than a refusal needs, and far less than the attack would take.
    static let refusalMaximum: Duration = .milliseconds(250)

    @Test(arguments: attacks)
    func eachAttackIsRefusedAtOnce(_ attack: Attack) {
        let start = ContinuousClock.now
        let refusal = attack.fixture.refusal(of: attack.bytes)
        let taken = ContinuousClock.now - start
        #expect(refusal?.reason == attack.reason)
        #expect(taken < Self.refusalMaximum)
    }
}
