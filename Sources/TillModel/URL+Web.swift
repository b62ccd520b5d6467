package import FoundationEssentials

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
