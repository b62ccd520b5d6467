/// A system call that a process made, from its entry to its return.
package struct SystemCall: Hashable, Sendable {
    package var name: String
    package var arguments: [TraceValue]
    /// The result: negative after an error, nil if the call never returned.
    package var result: Int?
    /// The place in the trace at which the call was entered. Places rise with time over all threads.
    package var begin: Int
    /// The place at which the call returned.
    package var end: Int?

    package init(_ name: String, _ arguments: [TraceValue], result: Int?, begin: Int, end: Int?) {
        self.name = name
        self.arguments = arguments
        self.result = result
        self.begin = begin
        self.end = end
    }

    /// Whether the call returned without an error.
    var succeeded: Bool {
        end != nil && (result ?? -1) >= 0
    }

    func argument(_ index: Int) -> TraceValue? {
        arguments.indices.contains(index) ? arguments[index] : nil
    }
}
