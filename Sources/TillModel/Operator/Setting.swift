/// A setting of the store, as text.
public struct Setting: Hashable, Sendable {
    public var name: String
    public var value: String
    /// A description of the allowed values.
    public var domain: String
    /// Whether an operator has changed it from the configured value.
    public var isChanged: Bool

    public init(
        name: String,
        value: String,
        domain: String,
        isChanged: Bool = false
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.isChanged = isChanged
    }
}
