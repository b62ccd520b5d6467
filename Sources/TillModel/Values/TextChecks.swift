package import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The rule for identifiers from peers: compared as bytes, safe to print and to log.
package enum Identifier {
    package static let maximumBytes = 128

    /// Whether the text is 1 to 128 bytes of `A-Z a-z 0-9 . _ : -`.
    package static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        return !bytes.isEmpty && bytes.count <= maximumBytes && bytes.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
            UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}

/// The character U+0000, which PostgreSQL cannot store, and at which programs in C take text to end. People's text with it is
/// refused before it comes to a ledger.
extension String {
    /// Whether the text has the character U+0000.
    package var containsNUL: Bool {
        utf8.contains(0)
    }

    /// The text with U+FFFD in place of each U+0000, for sentences that come from elsewhere.
    package var replacingNUL: String {
        containsNUL ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })) : self
    }
}

extension String {
    /// Whether both consist of the same bytes, as databases compare; this is stricter than `==`.
    ///
    /// It compares memory instead of characters, because the ledger compares a receipt at each change of a transaction.
    package func hasSameBytes(as other: String?) -> Bool {
        guard let other, utf8.count == other.utf8.count else {
            return false
        }
        return unsafe withCString { text in
            unsafe other.withCString { unsafe memcmp(text, $0, utf8.count) == 0 }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a plain visible or space character: not a control, format, line separator, private or unassigned
    /// character.
    package var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }

    /// Whether it controls a terminal or changes the direction of the following text: an embedding, an override or an
    /// isolate (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters). Characters that join letters
    /// or emoji do neither.
    package var affectsFollowingText: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}

/// The checks that a web address must pass before it is given to an HTTP client, which assumes them.
extension URL {
    /// Whether it has a host that is more than the brackets of an IPv6 address.
    package var namesHost: Bool {
        let host = host(percentEncoded: false) ?? ""
        return !host.drop { $0 == "[" }.allSatisfy { $0 == "]" }
    }

    /// Whether its port, if it has one, is from 1 to 65535.
    package var hasPossiblePort: Bool {
        port.map { (1...65_535).contains($0) } ?? true
    }
}

/// The arguments of the process.
package enum ProcessArguments {
    /// The arguments after the program's name; nil if one is not valid UTF-8, which `CommandLine.arguments` would
    /// silently repair.
    package static var asText: [String]? {
        var arguments: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = unsafe CommandLine.unsafeArgv[index], let text = unsafe String(validatingCString: bytes)
            else {
                return nil
            }
            arguments.append(text)
        }
        return arguments
    }
}
