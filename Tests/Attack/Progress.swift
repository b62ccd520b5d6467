import Glibc

/// A progress line, which is shown only on a terminal.
struct Progress {
    private let total: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(of total: Int) {
        self.total = total
    }

    func show(_ done: Int, _ note: String) {
        if isTerminal { Self.write("\r\(done) of \(total) s, \(note)   ") }
    }

    func end() {
        if isTerminal { Self.write("\n") }
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
