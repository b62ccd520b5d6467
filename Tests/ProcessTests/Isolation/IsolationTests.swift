import FaultRuns
import Foundation
import Glibc
import Logging
import ProcessTesting
import TTRPC
import Testing
import TillClient
import TillEngine
import TillService
import TillSQLite
import TillTesting

/// The status of each method for each kind of caller, and whether any byte of another user's queue reaches the caller.
///
/// The callers are real processes of other users, in sandboxes and in services, so most tests require root.
@Suite struct IsolationTests {
    static let nobody: UInt32 = 65534
    private static let beta = "org.example.beta"

    /// The policy: user 1001 with an account of its own, an approver, an operator, and a service.
    private static let policy = #"""
        {"version": 1, "rules": [
            {"users": [1001], "applications": ["org.example.alpha"]},
            {"users": [1002], "applications": ["org.example.*"], "role": "approver"},
            {"users": [1003], "applications": ["*"], "role": "operator"},
            {"users": ["*"], "groups": [2000], "applications": ["org.example.alpha"], "account": "family"},
            {"units": ["till-test-kiosk.service"], "applications": ["org.example.alpha"], "account": "kiosk"},
            {"users": ["*"], "applications": ["org.example.gamma"]}
        ]}
        """#

    /// The options of the daemon: a policy file, none, and a list of users.
    private static let starts: [[String]?] = [nil, [], ["--allow-users", "all"]]

    @Test func everyMethodOfTheDaemonHasARow() throws {
        let engine = PaymentEngine(
            ledger: try SQLiteLedger.inMemory(),
            catalogue: TestCatalogue(),
            provider: GatedProvider(),
            configuration: EngineConfiguration(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let service = TillService(engine: engine, policy: AccessPolicy(own: 0), server: "test/1")
        #expect(service.methodPaths == AccessTable.methods)
    }

    @Test func anApplicationLearnsNothingOfAnother() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let secret = try await Secret(site)
            let report = try await secret.probe(application: Self.beta)
            // The daemon's own user is an operator for any application.
            expect(report, .operator)
            try await end(daemon)
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can act as another user"),
        arguments: [
            (["--allow-users", "\(nobody)"], nobody, AccessTable.Column.stranger),
            // Another user is allowed, so that every process can connect.
            (["--allow-users", "65533"], nobody, .refused),
            (["--approvers", "\(nobody)"], nobody, .approver),
            (["--operators", "\(nobody)"], nobody, .operator),
        ]
    )
    func withUserListsAnotherUserGetsTheExpectedAnswers(
        _ options: [String],
        _ user: UInt32,
        _ column: AccessTable.Column
    ) async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon(options)
            let secret = try await Secret(site)
            let report = try await secret.probe(.user(user))
            try await expect(report, column, secret)
            try await end(daemon)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can act as another user"))
    func withoutOtherUsersOnlyTheOwnUserCanConnect() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let worker = site.path("worker")
            try FileManager.default.copyItem(atPath: Binaries.worker, toPath: worker)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
            let command = try ProbeCaller.user(Self.nobody).starting(
                [worker, "probe", "--socket", site.socket, "--application", "a"],
                at: site
            )
            let arguments = command.dropFirst() + ["--foreign", UUID().uuidString, "--received", "/dev/null"]
            let process = try site.start("probe", command[0], Array(arguments), log: "probe.log")
            #expect(await process.exit() == .status(1))
            let log = try String(contentsOfFile: site.path("probe.log"), encoding: .utf8)
            #expect(log.contains("this user may not connect to"))
            #expect(!log.contains("PaymentQueue"))
            try await end(daemon)
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can act as another user"),
        arguments: [
            (ProbeCaller.user(1001), Site.application, AccessTable.Column.stranger),
            (.user(1001), beta, .otherApplication),
            (.user(1002), Site.application, .approver),
            (.user(1003), Site.application, .operator),
            (.user(1004), Site.application, .otherApplication),
            (.user(1004, groups: [7, 2000]), Site.application, .stranger),
            (.user(nobody), Site.application, .refused),
            (.ownUser, beta, .operator),
        ]
    )
    func withAPolicyFileEachCallerGetsTheExpectedAnswers(
        _ caller: ProbeCaller,
        _ application: String,
        _ column: AccessTable.Column
    ) async throws {
        try await probe(caller, application, column)
    }

    @Test(
        .enabled(if: ProbeCaller.canSandbox, "only root with its capabilities can make a sandbox"),
        arguments: [
            ("[Application]\nname=org.example.beta\n", beta, AccessTable.Column.confined),
            ("[Application]\nname=org.example.beta\n", Site.application, .otherApplication),
            ("[Runtime]\nname=org.example.beta\n", beta, .refused),
        ],
        starts
    )
    func aSandboxRemovesRights(
        _ sandbox: (info: String, application: String, column: AccessTable.Column),
        _ options: [String]?
    ) async throws {
        try await probe(.sandboxed(info: sandbox.info), sandbox.application, sandbox.column, options)
    }

    @Test(
        .enabled(if: ProbeCaller.controlGroups != nil, "only root can make control groups"),
        arguments: [
            ("till-test-kiosk.service", AccessTable.Column.stranger), ("till-test-other.service", .otherApplication),
        ]
    )
    func aSystemServiceIsIdentifiedByItsControlGroup(_ unit: String, _ column: AccessTable.Column) async throws {
        try await probe(.unit(unit, user: 1005), Site.application, column)
        _ = unsafe rmdir("\(ProbeCaller.controlGroups ?? "")/system.slice/\(unit)")
    }

    @Test(arguments: starts)
    func aCallerGoneBeforeItsConnectionIsAcceptedIsRefused(_ options: [String]?) async throws {
        try await Site.with { site in
            let daemon = try await start(options, site)
            let secret = try await Secret(site)
            try await expect(secret.probeWithoutMaker(daemon), .refused, secret)
            try await end(daemon)
        }
    }

    private func probe(
        _ caller: ProbeCaller,
        _ application: String,
        _ column: AccessTable.Column,
        _ options: [String]? = nil
    ) async throws {
        try await Site.with { site in
            let daemon = try await start(options, site)
            let secret = try await Secret(site)
            try await expect(secret.probe(caller, application: application), column, secret)
            try await end(daemon)
        }
    }

    /// Starts a daemon with these options or, without options, with the policy file.
    private func start(_ options: [String]?, _ site: Site) async throws -> ChildProcess {
        guard let options else {
            return try await site.startServingDaemon(policy: Self.policy)
        }
        return try await site.startServingDaemon(options)
    }

    /// Expects that operators see and change everything, and that other callers see and change nothing.
    private func expect(_ report: Secret.Report, _ column: AccessTable.Column, _ secret: Secret) async throws {
        expect(report, column)
        if column != .operator {
            secret.expectUnseen(by: report)
            try await secret.expectUntouched()
        }
    }

    private func expect(_ report: Secret.Report, _ column: AccessTable.Column) {
        let expected = AccessTable.answers(to: column)
        for method in expected.keys.sorted() {
            #expect(report.answers[method] == expected[method], "\(method)")
        }
        #expect(report.answers.count == expected.count)
    }

    private func end(_ daemon: ChildProcess) async throws {
        daemon.signal(SIGTERM)
        #expect(await daemon.exit() == .status(0))
    }
}

extension Site {
    /// Starts a daemon with a policy file, and waits until it answers.
    func startServingDaemon(policy: String) async throws -> ChildProcess {
        try Data(policy.utf8).write(to: URL(filePath: path("policy.json")))
        return try await startServingDaemon(["--policy", path("policy.json")])
    }
}
