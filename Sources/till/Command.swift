import Glibc
import TillCommand

/// Runs the command line in this process.
@main
struct Command {
    static func main() async {
        let status = await Till.run(Console.process)
        if let number = status.signal {
            end(by: number)
        }
        exit(status.rawValue)
    }

    /// Has a signal end the process that was trapped before, so that a shell's script ends with it.
    private static func end(by number: CInt) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        signal(number, SIG_DFL)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }
}
