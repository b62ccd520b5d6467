/// The limits of a policy file.
enum PolicyLimits {
    /// The maximum size of the file.
    static let fileBytes = 256 * 1024
    static let rules = 256
    /// The maximum number of elements in one list of a rule.
    static let elements = 256
    /// The maximum length of a system service's name (systemd.unit(5)).
    static let unitBytes = 255
}
