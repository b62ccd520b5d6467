import Testing

/// A countable property of a file.
struct Rule: Sendable, CustomTestStringConvertible {
    /// The rule as a sentence, which a failed test shows.
    let testDescription: String
    let violations: @Sendable (SourceFile) -> [Violation]

    init(_ sentence: String, _ violations: @escaping @Sendable (SourceFile) -> [Violation]) {
        testDescription = sentence
        self.violations = violations
    }

    /// A rule for the files that `applies` selects: their code may not match the pattern.
    init<Output>(
        _ sentence: String,
        forbidding pattern: @escaping @Sendable () -> Regex<Output>,
        where applies: @escaping @Sendable (SourceFile) -> Bool
    ) {
        self.init(sentence) { applies($0) ? $0.code(matching: pattern()) : [] }
    }

    static let all = form + safety + concurrency + structure + texts
}

extension Rule {
    static let linesMaximum = 400
    static let testLinesMaximum = 600
    static let functionLinesMaximum = 70

    /// The form of files.
    static let form = [fileLength, functionLength, fileEnd, noTabs, fileNames]

    /// The manifest, most of which is the targets of tests, counts as a test. Nobody edits a generated file.
    static let fileLength = Rule("A Swift file has at most \(linesMaximum) lines, a test \(testLinesMaximum)") { file in
        let maximum = file.isTest || file.path == "Package.swift" ? testLinesMaximum : linesMaximum
        let count = file.lines.count - 1
        let isGenerated = file.path.hasSuffix(".pb.swift")
        return file.isSwift && !isGenerated && count > maximum ? [file.violation("\(count) lines")] : []
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

extension Rule {
    /// Dependencies between targets.
    static let structure = [importsPointUp, publicIsForProducts, sqlIsInLedgers]

    static let importsPointUp = Rule("A target imports only what stands above it in the table") { file in
        guard let target = file.target else {
            return []
        }
        return file.code(
            matching:
                /^ *(?:@\w+ +)?(?:\w+ +)?import +(?:(?:struct|class|enum|func|protocol|typealias|let|var) +)?(\w+)/
        ) { Targets.mayImport(String($0.output.1), in: target) != true }
    }

    static let publicIsForProducts = Rule(
        "Only products have public declarations",
        forbidding: { /(^|[^.\w])(public|open) +\w/ },
        where: { file in file.target.map { !Targets.products.contains($0) } ?? false }
    )

    static let sqlIsInLedgers = Rule("Only the ledgers contain SQL") { file in
        guard let target = file.target, !Targets.ledgers.contains(target) else {
            return []
        }
        return file.text(
            matching:
                /\b(SELECT .+ FROM|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|(CREATE|DROP|ALTER) (TABLE|INDEX)|PRAGMA)\b/
        )
    }
}

extension Rule {
    /// Texts that no file may contain.
    static let texts = [noReminders, noLicenceHeaders, noMachinePaths]

    static let noReminders = Rule("No file has reminders or marks") {
        file in
        // In quotes, XXX is ISO 4217's code for the absence of a currency.
        file.texts(/\b(TODO|FIXME|HACK)\b|\bMARK:|(^|[^"])\bXXX\b/)
    }

    static let noLicenceHeaders = Rule("The licence is in LICENSE and in no other file") { file in
        file.path == "LICENSE"
            ? [] : file.texts(/SPDX-License|Copyright ([(©]|\d)|Licensed under the|All rights reserved/)
    }

    static let noMachinePaths = Rule("No file names a path of a developer's machine") { file in
        file.texts(/(^|[^\w.$}~])\/(work|root|home|Users)\/[\w.]/)
    }
}

extension SourceFile {
    /// Matches outside of this target's own rules and samples.
    fileprivate func texts<Output>(_ pattern: Regex<Output>) -> [Violation] {
        path.hasPrefix("Tests/TidyTests/Rule") ? [] : text(matching: pattern)
    }
}
