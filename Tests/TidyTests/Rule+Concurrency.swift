extension Rule {
    /// Bridges from synchronous code, which cannot await; their comments say why.
    static let taskFiles: Set<String> = [
        "Sources/StoreKit/Connection/BlockingQueries.swift", "Sources/StoreKitTest/Server/ServerThread.swift",
        "Sources/TillClient/Connection/DaemonSession.swift",
    ]

    /// Tasks, waits and buffers.
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

    static let boundedStreams = Rule("A stream defines what happens when its buffer is full") { file in
        file.code(
            matching:
                /\bAsync(?:Throwing)?Stream(?:<[^=\n]*>)?(?:\.makeStream)?(?:\(((?:[^()]|\([^()]*\))*)\)| *\{ *\w+ in)/
        ) { $0.output.1?.contains(/bufferingPolicy:|unfolding:|of: Never\.self/) != true }
    }
}
