extension String {
    /// Whether both consist of the same bytes, as databases compare; this is stricter than `==`.
    package func hasSameBytes(as other: String?) -> Bool {
        other.map { utf8.elementsEqual($0.utf8) } ?? false
    }
}
