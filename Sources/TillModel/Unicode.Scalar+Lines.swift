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
