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

    /// Ends the process by a trapped signal, so that a shell script that runs it ends too.
    private static func end(by number: CInt) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        signal(number, SIG_DFL)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }
}
