/// The arguments of the process.
package enum ProcessArguments {
    /// The arguments after the program's name; nil if one is not valid UTF-8, which `CommandLine.arguments` would
    /// silently repair.
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
