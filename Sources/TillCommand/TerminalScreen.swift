import Foundation
import NIOConcurrencyHelpers
import TillOutput

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A terminal that shows one view, which is replaced as a whole.
package struct Screen: Sendable {
    /// Saves what the terminal shows and how it reads, and shows an empty view.
    package var begin: @Sendable () -> Void
    /// Replaces the view with these lines, each cut to the width of the terminal.
    package var draw: @Sendable ([String]) -> Void
    /// Restores what ``begin`` saved.
    package var end: @Sendable () -> Void
    /// The next key; nil when the task is cancelled and at the end of the input.
    package var nextKey: @Sendable () async -> UInt8?

    package init(
        begin: @escaping @Sendable () -> Void,
        draw: @escaping @Sendable ([String]) -> Void,
        end: @escaping @Sendable () -> Void,
        nextKey: @escaping @Sendable () async -> UInt8?
    ) {
        self.begin = begin
        self.draw = draw
        self.end = end
        self.nextKey = nextKey
    }
}

/// Shows views on a terminal by control sequences (https://man7.org/linux/man-pages/man4/console_codes.4.html).
package final class TerminalScreen: Sendable {
    /// The interval between checks for a key.
    private static let interval = Duration.milliseconds(50)
    /// The alternate screen without a cursor, and back.
    private static let begin = "\u{1B}[?1049h\u{1B}[?25l"
    private static let end = "\u{1B}[?25h\u{1B}[?1049l"
    /// The width and height if the terminal does not say.
    private static let columnsDefault = 80
    private static let rowsDefault = 24

    private let input: CInt
    private let output: LineWriter
    private let outputDescriptor: CInt
    private let saved = NIOLockedValueBox<termios?>(nil)

    /// - Returns: Nil if one of the descriptors is not a terminal.
    package init?(input: CInt, output: CInt) {
        guard isatty(input) == 1, isatty(output) == 1 else {
            return nil
        }
        self.input = input
        self.output = LineWriter(descriptor: output)
        outputDescriptor = output
    }

    package var screen: Screen {
        Screen(
            begin: { self.begin() },
            draw: { self.draw($0) },
            end: { self.end() },
            nextKey: { await self.nextKey() }
        )
    }

    /// Keys are read at once and not shown. Ctrl-C still interrupts.
    private func begin() {
        var mode = termios()
        if unsafe tcgetattr(input, &mode) == 0 {
            saved.withLockedValue { $0 = mode }
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
            unsafe tcsetattr(input, TCSAFLUSH, &mode)
        }
        try? output.write(raw: Self.begin)
    }

    private func end() {
        try? output.write(raw: Self.end)
        if var mode = saved.withLockedValue({ $0 }) {
            unsafe tcsetattr(input, TCSAFLUSH, &mode)
        }
    }

    /// Writes over the old view and empties the rest, so that nothing flickers.
    private func draw(_ lines: [String]) {
        let (rows, columns) = size
        let texts = lines.prefix(rows).map { "\($0.printable.prefix(columns))\u{1B}[K" }
        try? output.write(raw: "\u{1B}[H\(texts.joined(separator: "\n"))\u{1B}[J")
    }

    private var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard unsafe ioctl(outputDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return (Self.rowsDefault, Self.columnsDefault)
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    private func nextKey() async -> UInt8? {
        while !Task.isCancelled {
            var asked = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&asked, 1, 0) > 0 {
                var key: UInt8 = 0
                return unsafe read(input, &key, 1) == 1 ? key : nil
            }
            try? await Task.sleep(for: Self.interval)
        }
        return nil
    }
}
