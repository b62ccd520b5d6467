import Glibc
import TillCommand

/// Runs the command line in this process.
@main
struct Command {
    static func main() async {
        let console = Console.process
        guard let arguments else {
            console.complain("till: An argument is not valid UTF-8. See till --help.")
            exit(ExitStatus.usage.rawValue)
        }
        let status = await Till.run(arguments, console)
        if let number = status.signal {
            end(by: number)
        }
        exit(status.rawValue)
    }

    /// Nil when one is no UTF-8, of which `CommandLine.arguments` would make another text without a word.
    private static var arguments: [String]? {
        var arguments: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = unsafe CommandLine.unsafeArgv[index], let text = unsafe String(validatingCString: bytes)
            else {
                return nil
            }
            arguments.append(text)
        }
        return arguments
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
