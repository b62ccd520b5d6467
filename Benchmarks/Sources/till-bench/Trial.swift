/// A measurement of Till alone, with several quantities.
protocol Trial: Sendable {
    var name: String { get }
    /// The measured subject and its size.
    var title: String { get }
    var programs: [Program] { get }
    func measure(_ workspace: Workspace, repetitions: Int) throws -> [Quantity]
}
