extension String {
    /// The text in quotation marks for a message: control characters escaped, and cut after 80 characters.
    package var quoted: String {
        let limit = 80
        let head = unicodeScalars.prefix(limit)
        let escaped = head.map { isPrintable($0) ? String($0) : $0.escaped(asASCII: true) }.joined()
        return "'\(escaped)\(head.count < unicodeScalars.count ? "…" : "")'"
    }

    private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
    }
}
