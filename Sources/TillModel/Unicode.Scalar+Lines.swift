extension Unicode.Scalar {
    /// Whether it stands in a line and does nothing else: no control, no format, no end of a line, and neither private nor
    /// unassigned.
    package var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }

    /// Whether it drives a terminal, or turns the direction of the text behind it: an embedding, an override or an isolate
    /// (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters). What joins letters or emoji does neither.
    package var changesWhatFollows: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}
