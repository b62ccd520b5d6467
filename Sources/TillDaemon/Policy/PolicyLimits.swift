/// What a policy file may hold at most.
enum PolicyLimits {
    /// The size of the file.
    static let fileBytes = 256 * 1024
    static let rules = 256
    /// Elements of one list of a rule.
    static let elements = 256
    /// The name of a service of the system (systemd.unit(5)).
    static let unitBytes = 255
}
