/// A failure that Xcode would simulate for one kind of call.
package struct SimulatedFailure: Hashable, Sendable {
    /// The calls it belongs to, for example `Purchase`.
    package var name: String
    package var isEnabled: Bool
    /// `generic`, `purchase` or `verification`.
    package var type: String?
    /// The position in Xcode's pop-up menu. Which error it stands for is not documented.
    package var index: Int?

    package init(name: String, isEnabled: Bool, type: String? = nil, index: Int? = nil) {
        self.name = name
        self.isEnabled = isEnabled
        self.type = type
        self.index = index
    }
}
