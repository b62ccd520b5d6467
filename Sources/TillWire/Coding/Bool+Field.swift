extension Bool {
    /// protobuf-c's boolean.
    init(field: Int32) {
        self = field != 0
    }

    /// The value for a field.
    var field: Int32 {
        self ? 1 : 0
    }
}
