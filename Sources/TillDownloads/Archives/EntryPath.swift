/// The path of an archive entry: components below a directory, none of which leads outside.
struct EntryPath: Hashable, Sendable {
    /// The path's components; empty only for the directory itself.
    let steps: [String]

    var parent: ArraySlice<String> { steps.dropLast() }

    /// - Parameter name: The name in the archive.
    init(_ name: [UInt8], isDirectory: Bool, limits: ArchiveLimits) throws(ArchiveFault) {
        guard !name.isEmpty else { throw .nameMissing }
        guard let text = String(validating: name, as: UTF8.self) else { throw .nameNotText }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .nameWithControl
        }
        guard !name.contains(UInt8(ascii: "\\")) else { throw .nameWithBackslash }
        guard name.first != UInt8(ascii: "/") else { throw .nameAbsolute }
        var steps = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        // `tar` writes `./name` for entries in `.`, and `name/` for a directory.
        if steps.first == ".", steps.count > 1 || isDirectory {
            steps.removeFirst()
        }
        if isDirectory, steps.last?.isEmpty == true {
            steps.removeLast()
        }
        guard isDirectory || !steps.isEmpty else { throw .nameWithEmptyStep }
        for step in steps {
            guard !step.isEmpty else { throw .nameWithEmptyStep }
            guard step != ".", step != ".." else { throw .nameWithDots }
            guard step.utf8.count <= limits.nameMaximumBytes else { throw .nameTooLong }
        }
        guard steps.count <= limits.depthMaximum else { throw .tooDeep }
        self.steps = steps
    }
}
