extension Rule {
    static let linesMaximum = 400
    static let testLinesMaximum = 600
    static let functionLinesMaximum = 70

    /// How files look.
    static let form = [fileLength, functionLength, fileEnd, noTabs, fileNames]

    /// The manifest, most of which is the targets of tests, counts as a test.
    static let fileLength = Rule("A Swift file has at most \(linesMaximum) lines, a test \(testLinesMaximum)") { file in
        let maximum = file.isTest || file.path == "Package.swift" ? testLinesMaximum : linesMaximum
        let count = file.lines.count - 1
        return file.isSwift && count > maximum ? [file.violation("\(count) lines")] : []
    }

    static let functionLength = Rule("A function has at most \(functionLinesMaximum) lines") { file in
        FunctionSpan.all(in: file.codeLines).filter { $0.lineCount > functionLinesMaximum }.map {
            file.violation(atLine: $0.first, "\($0.lineCount) lines: \(file.lines[$0.first])")
        }
    }

    static let fileEnd = Rule("A Swift file ends in exactly one newline") { file in
        guard file.isSwift, !file.text.hasSuffix("\n") || file.text.hasSuffix("\n\n") else {
            return []
        }
        return [file.violation(atLine: file.lines.count - 1, "the end of the file")]
    }

    static let noTabs = Rule("A Swift file has no tabs") { file in
        file.isSwift ? file.text(matching: /\t/) : []
    }

    static let fileNames = Rule("A file is named after what is in it, not Utils, Helpers, Manager or Extensions") {
        file in
        file.name.contains(/Util(s|ities)|Helpers?|Manager|Extensions?\./) ? [file.violation("the file's name")] : []
    }
}
