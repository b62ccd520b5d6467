/// A failure that Xcode simulates for one kind of call.
package struct SimulatedFailure: Hashable, Sendable {
    /// The affected calls, for example `Purchase`.
    package var name: String
    package var isEnabled: Bool
    /// `generic`, `purchase` or `verification`.
    package var type: String?
    /// The position in Xcode's pop-up menu; the corresponding error is not documented.
    package var index: Int?

    package init(name: String, isEnabled: Bool, type: String? = nil, index: Int? = nil) {
        self.name = name
        self.isEnabled = isEnabled
        self.type = type
        self.index = index
    }
}
