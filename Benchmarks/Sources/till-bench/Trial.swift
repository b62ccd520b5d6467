/// Something that is measured of Till alone, in numbers of several kinds.
protocol Trial: Sendable {
    var name: String { get }
    /// What is measured, and how large it is.
    var title: String { get }
    var programs: [Program] { get }
    func measure(_ workspace: Workspace, repetitions: Int) throws -> [Quantity]
}
