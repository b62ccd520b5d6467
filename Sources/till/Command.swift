import Glibc
import TillCommand

/// Runs the command line in this process.
@main
struct Command {
    static func main() async {
        let status = await Till.run(Array(CommandLine.arguments.dropFirst()), .process)
        exit(status.rawValue)
    }
}
