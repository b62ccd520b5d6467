/// A setting of the store, as text.
public struct Setting: Hashable, Sendable {
    public var name: String
    public var value: String
    /// The values that it takes, in words.
    public var domain: String
    /// Whether an operator has set it to something else than the files say.
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
