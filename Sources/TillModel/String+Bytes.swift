extension String {
    /// Whether both are the same bytes, as databases compare, which is stricter than `==`.
    package func hasSameBytes(as other: String?) -> Bool {
        other.map { utf8.elementsEqual($0.utf8) } ?? false
    }
}
