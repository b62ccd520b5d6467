import ArgumentParser

/// Where a document goes that can also be printed.
struct OutputOption: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write it to this file, and print nothing.", valueName: "file"),
        completion: .file()
    )
    var path: String?

    var file: OutputFile? {
        path.map { OutputFile(path: $0) }
    }
}
