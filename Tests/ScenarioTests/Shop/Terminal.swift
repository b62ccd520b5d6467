import Foundation
import Glibc
import Synchronization
import Testing

/// A terminal at which the test acts as a person.
final class Terminal: Sendable {
    /// The path of the side that programs use.
    let path: String
    /// `TIOCSPTLCK` and `TIOCGPTN`, macros that Swift does not import.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    private let descriptor: CInt
    private let screen = Mutex("")

    /// Opens a pseudo-terminal as https://man7.org/linux/man-pages/man7/pty.7.html describes.
    init() throws {
        descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var lock: CInt = 0
        var number: CInt = 0
        try #require(unsafe ioctl(descriptor, Self.setLock, &lock) == 0, "no pseudo-terminal is available")
        try #require(unsafe ioctl(descriptor, Self.getNumber, &number) == 0)
        path = "/dev/pts/\(number)"
    }

    deinit {
        close(descriptor)
    }

    /// Everything that the terminal has shown so far.
    var shown: String {
        screen.withLock { screen in
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe read(descriptor, &bytes, bytes.count)
                guard count > 0 else {
                    return screen
                }
                screen += String(decoding: bytes.prefix(count), as: UTF8.self)
            }
        }
    }

    /// Whether programs read whole lines, and what is typed is shown.
    var readsLines: Bool {
        var mode = termios()
        return unsafe tcgetattr(descriptor, &mode) == 0
            && mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(descriptor, bytes, bytes.count)
    }
}
