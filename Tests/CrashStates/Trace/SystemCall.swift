/// A system call that a process made, from its entry to its return.
package struct SystemCall: Hashable, Sendable {
    package var name: String
    package var arguments: [TraceValue]
    /// What it returned: negative after an error, nil when it never returned.
    package var result: Int?
    /// Its place in the trace when it was entered. Places rise with time over all threads.
    package var begin: Int
    /// Its place when it returned.
    package var end: Int?

    package init(_ name: String, _ arguments: [TraceValue], result: Int?, begin: Int, end: Int?) {
        self.name = name
        self.arguments = arguments
        self.result = result
        self.begin = begin
        self.end = end
    }

    /// Whether it returned without an error.
    var succeeded: Bool {
        end != nil && (result ?? -1) >= 0
    }

    func argument(_ index: Int) -> TraceValue? {
        arguments.indices.contains(index) ? arguments[index] : nil
    }
}
