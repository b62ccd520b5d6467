extension Rule {
    /// The one bridge from where nobody can wait; its comment says why.
    static let taskFiles: Set<String> = ["Sources/TillClient/Session.swift"]

    /// What runs, waits and is kept for later.
    static let concurrency = [noTasks, noSleeps, boundedStreams]

    static let noTasks = Rule(
        "A library starts no task of its own",
        forbidding: { /\bTask(\.(detached|immediate\w*))?(<[^>]*>)?\s*[({]/ },
        where: { file in
            file.target.map { !Targets.executables.contains($0) && !taskFiles.contains(file.path) } ?? false
        }
    )

    static let noSleeps = Rule(
        "Tests do not sleep",
        forbidding: {
            /(Task|Thread|[cC]lock(\(\))?)\.sleep\b|(^|[^.\w\s]|\bawait|\btry)\s*\b(u|nano)?sleep\(|\basyncAfter\(/
        },
        where: { $0.isTest && $0.isSwift }
    )

    static let boundedStreams = Rule("A stream says what happens when its buffer is full") { file in
        let code = file.codeLines.joined(separator: "\n")
        let calls = code.matches(of: /\bAsync(Throwing)?Stream(<[^=\n]*>)?(\.makeStream)?(\(| *\{ *\w+ in)/)
        return calls.compactMap { call in
            let arguments = code[call.range.lowerBound...].prefix(240).prefix { $0 != "{" }
            let isBounded = arguments.contains(/bufferingPolicy:|unfolding:|of: Never\.self/)
            let line = code[..<call.range.lowerBound].count { $0 == "\n" }
            return isBounded ? nil : file.violation(atLine: line, file.lines[line])
        }
    }
}
