import CCodecFixtures
import ProtobufCodec

/// The fixtures' message types, for tables.
enum Fixture: String, Sendable, CaseIterable {
    case kinds, repeats, holder, choice, tree

    /// Why the bytes are refused; nil when they are not.
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
