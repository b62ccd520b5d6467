/// What the process was started with.
package enum ProcessArguments {
    /// Those after the program's name; nil when one is no UTF-8, of which `CommandLine.arguments` would make another text
    /// without a word.
    package static var asText: [String]? {
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
}
