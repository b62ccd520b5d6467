import TillModel

extension String {
    /// The text without characters that control a terminal or reorder a line, because peers can supply it.
    package var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.affectsFollowingText ? "\u{FFFD}" : $0 }))
    }
}
