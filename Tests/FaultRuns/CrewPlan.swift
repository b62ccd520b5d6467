/// The composition of a crew, and the options of its programs.
package struct CrewPlan: Sendable {
    /// The application of each worker; several workers may share a queue.
    package var applications: [String]
    /// The options of the daemon, which configure the provider's faults while the crew works.
    package var daemonOptions: [String]
    package var workerOptions: [String]
    /// The environment of all programs.
    package var environment: [String: String] = [:]
    /// Whether charges may be given up, so that an operator must resolve them.
    package var mayNeedReview = false

    /// Three workers with two queues, and a provider that times out, is slow and declines.
    package static let standard = CrewPlan(
        applications: ["org.example.alpha", "org.example.alpha", "org.example.beta"],
        daemonOptions: settling + [
            "--simulated-timeout-before", TestStore.timeoutBefore.joined(separator: ","),
            "--simulated-timeout-after", TestStore.timeoutAfter.joined(separator: ","),
            "--simulated-slow", TestStore.slow.joined(separator: ","), "--simulated-delay", "1",
        ],
        workerOptions: (TestStore.timeoutBefore + TestStore.slow).flatMap { ["--seldom", $0] }
    )

    /// The options of the daemon while the crew settles.
    static let settling = ["--simulated-decline", TestStore.declined.joined(separator: ",")]
}
