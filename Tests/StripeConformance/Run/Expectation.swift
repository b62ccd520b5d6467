package import StripeStandIn

/// What a field of an answer has to be.
package enum Expectation: Hashable, Sendable {
    /// Exactly this value; null for a field that is null or missing.
    case value(JSON)
    /// Any value but null.
    case present
    /// A text that begins so.
    case prefix(String)
    /// As many elements.
    case count(Int)

    func accepts(_ value: JSON) -> Bool {
        switch self {
        case .value(let expected): value == expected
        case .present: !value.isNull
        case .prefix(let prefix): value.string?.hasPrefix(prefix) ?? false
        case .count(let count): value.array.count == count
        }
    }
}

extension Expectation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .value(.null): "nothing"
        case .value(let value): value.text
        case .present: "a value"
        case .prefix(let prefix): "\"\(prefix)…\""
        case .count(let count): "\(count) elements"
        }
    }
}

extension Expectation: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .value(.string(value)) }
    package init(integerLiteral value: Int) { self = .value(.int(value)) }
    package init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
    package init(nilLiteral: ()) { self = .value(.null) }

    /// Exactly this text.
    static func text(_ text: String) -> Expectation { .value(.string(text)) }
}

/// Something in which the API differs from what Till relies on.
package struct Difference: Hashable, Sendable {
    /// The call or the operation, and the field.
    package var what: String
    package var expected: String
    package var got: String

    private static let textMaximum = 300

    init(_ what: String, expected: String, got: String) {
        self.what = what
        self.expected = expected.redacted
        self.got = String(got.redacted.prefix(Self.textMaximum))
    }
}

extension String {
    /// The text without API keys: Stripe repeats the last characters of a key that it refuses.
    package var redacted: String {
        replacing(/\b([rs]k_(?:test|live)_)[^\s"'.,:;)]+/) { "\($0.output.1)…" }
    }
}
