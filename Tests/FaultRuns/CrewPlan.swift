/// What a crew is made of, and how its programs are started.
package struct CrewPlan: Sendable {
    /// One for each worker; several may share a queue.
    package var applications: [String]
    /// What the provider is told to do wrong while the crew works.
    package var daemonOptions: [String]
    package var workerOptions: [String]
    /// Of all programs.
    package var environment: [String: String] = [:]
    /// Whether charges may be given up, which people then have to look at.
    package var mayNeedReview = false

    /// Three workers with two queues, and a provider that times out, is slow and declines.
    package static let standard = CrewPlan(
        applications: ["org.example.alpha", "org.example.alpha", "org.example.beta"],
        daemonOptions: resting + [
            "--simulated-timeout-before", TestStore.timeoutBefore.joined(separator: ","),
            "--simulated-timeout-after", TestStore.timeoutAfter.joined(separator: ","),
            "--simulated-slow", TestStore.slow.joined(separator: ","), "--simulated-delay", "1",
        ],
        workerOptions: (TestStore.timeoutBefore + TestStore.slow).flatMap { ["--seldom", $0] }
    )

    /// While the crew comes to rest.
    static let resting = ["--simulated-decline", TestStore.declined.joined(separator: ",")]
}
