import Foundation
import Glibc
import Testing
import TTRPC
import TillEngine
import TillModel
import TillProviders
import TillService
@testable import TillDaemon

@Suite struct ConfigurationTests {
    private static let home = ["HOME": "/people/someone", "XDG_RUNTIME_DIR": "/run/user/7"]

    @Test func pathsFollowTheXDGSpecification() throws {
        let configuration = try DaemonConfiguration(
            options: ["catalogue": ["a.storekit", "b,c.storekit"]],
            environment: Self.home,
            file: nil,
            isRoot: false
        )
        #expect(configuration.catalogueFiles == ["a.storekit", "b,c.storekit"])
        #expect(configuration.stateDirectory == "/people/someone/.local/state/till")
        #expect(configuration.socketPath == "/run/user/7/till/till.sock")
        #expect(configuration.policy == AccessPolicy(own: geteuid()))
    }

    @Test func rootServesTheSystem() throws {
        let configuration = try DaemonConfiguration(
            options: ["catalogue": ["a"]],
            environment: Self.home,
            file: nil,
            isRoot: true
        )
        #expect(configuration.stateDirectory == "/var/lib/till")
        #expect(configuration.socketPath == "/run/till/till.sock")
    }

    @Test func optionsOverrideTheEnvironmentWhichOverridesTheFile() throws {
        try inTemporaryDirectory { directory in
            let file = "\(directory)/tilld.json"
            try Data(
                #"{"catalogue": ["file"], "state": "/file", "socket": "/file", "restore-deadline": 7, "simulated": {"decline": ["x", "y"], "delay": 3}}"#
                    .utf8
            ).write(to: URL(filePath: file))
            let configuration = try DaemonConfiguration(
                options: ["state": ["/option"]],
                environment: [
                    "TILL_STATE": "/variable", "TILL_SOCKET": "/variable", "TILL_ALLOW_USERS": "1000, 1001",
                    "TILL_SIMULATED_TIMEOUT_BEFORE": "p",
                ],
                file: file,
                isRoot: false
            )
            #expect(configuration.stateDirectory == "/option")
            #expect(configuration.socketPath == "/variable")
            #expect(configuration.catalogueFiles == ["file"])
            #expect(configuration.policy == AccessPolicy(own: geteuid(), others: .some([1000, 1001])))
            #expect(configuration.engine.restoreDeadline == .seconds(7))
            #expect(configuration.faults.declined == ["x", "y"])
            #expect(configuration.faults.timeoutBeforeEffect == ["p"])
            #expect(configuration.faults.delay == .seconds(3))
        }
    }

    /// An empty list takes a right away that the environment gives.
    @Test func anEmptyListOverridesTheEnvironment() throws {
        let configuration = try DaemonConfiguration(
            options: ["catalogue": ["a"], "operators": [], "allow-users": []],
            environment: Self.home.merging(["TILL_OPERATORS": "7", "TILL_ALLOW_USERS": "all"]) { $1 },
            file: nil,
            isRoot: false
        )
        #expect(configuration.policy == AccessPolicy(own: geteuid()))
    }

    @Test(
        arguments: [
            (["state": ["/s"]], "catalogue"),
            (["catalogue": ["a"], "allow-users": ["root"]], "allow-users"),
            (["catalogue": ["a"], "allow-users": ["all", "7"]], "allow-users"),
            (["catalogue": ["a"], "operators": ["root"]], "operators"),
            (["catalogue": ["a"], "approvers": ["all"]], "approvers"),
            (["catalogue": ["a"], "setting": ["ask-to-buy"]], "setting"),
            (["catalogue": ["a"], "setting": ["mood=good"]], "setting"),
            (["catalogue": ["a"], "setting": ["ask-to-buy=maybe"]], "ask-to-buy"),
            (["catalogue": ["a"], "setting": ["storefront=XYZ"]], "storefront=XYZ"),
            (["catalogue": ["a"], "approval-deadline": ["0"]], "approval-deadline"),
            (["catalogue": ["a"], "authorization-deadline": ["x"]], "authorization-deadline"),
            (["catalogue": ["a"], "resolution-deadline": ["31536001"]], "resolution-deadline"),
            (["catalogue": ["a"], "restore-deadline": ["0"]], "restore-deadline"),
            (["catalogue": ["a"], "restore-deadline": ["3601"]], "restore-deadline"),
            (["catalogue": ["a"], "purchasing-deadline": ["82801"]], "purchasing-deadline"),
            (["catalogue": ["a"], "retention": ["36501"]], "retention"),
            (["catalogue": ["a"], "requests-per-second": ["-1"]], "requests-per-second"),
            (["catalogue": ["a"], "frame-maximum": ["4194305"]], "frame-maximum"),
            (["catalogue": ["a"], "frame-maximum": ["many"]], "frame-maximum"),
            (["catalogue": ["a"], "simulated.delay": ["3601"]], "simulated.delay"),
            (["catalogue": ["a"], "simulated.decline": ["good", "bad id"]], "simulated.decline"),
            (["catalogue": ["a"], "simulated.timeout-before": [""]], "simulated.timeout-before"),
            (["catalogue": ["a"], "simulated.timeout-after": ["é"]], "simulated.timeout-after"),
            (["catalogue": ["a"], "simulated.unreachable": ["bad id"]], "simulated.unreachable"),
            (["catalogue": ["a"], "simulated.slow": (0...64).map { "p\($0)" }], "simulated.slow"),
            (["catalogue": ["a"], "simulated.refuse-restore": ["bad app"]], "simulated.refuse-restore"),
            (["catalogue": ["a"], "stripe.webhook-address": ["0.0.0.0:80"]], "stripe.webhook-address"),
            (["catalogue": ["a"], "state": [""]], "state is empty"),
            (["catalogue": ["a"], "socket": [""]], "socket is empty"),
            (["catalogue": ["a"], "allow-users": ["all", "5"]], "all alone"),
        ] as [([String: [String]], String)]
    )
    func anInvalidValueIsRefusedByItsKey(options: [String: [String]], key: String) {
        let error = #expect(throws: TillError.self) {
            try DaemonConfiguration(options: options, environment: Self.home, file: nil, isRoot: false)
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(key) == true)
    }

    @Test func withoutHomeThePathsMustBeNamed() {
        let state = #expect(throws: TillError.self) {
            try DaemonConfiguration(options: ["catalogue": ["a"]], environment: [:], file: nil, isRoot: false)
        }
        #expect(state?.message.contains("--state") == true)
        let socket = #expect(throws: TillError.self) {
            try DaemonConfiguration(
                options: ["catalogue": ["a"], "state": ["/s"]],
                environment: ["XDG_RUNTIME_DIR": "relative"],
                file: nil,
                isRoot: false
            )
        }
        #expect(socket?.message.contains("--socket") == true)
    }

    @Test(arguments: [
        (#"{"sate": "/s"}"#, "sate"),
        (#"{"simulated": {"declin": ["x"]}}"#, "simulated.declin"),
        (#"{"simulatd": {}}"#, "unknown key simulatd"),
        (#"{"policy": {}}"#, "invalid policy: use a string or a number"),
        (#"{"state": ["/s"]}"#, "state"),
        (#"{"allow-users": "all"}"#, "allow-users"),
        (#"{"allow-users": [null]}"#, "allow-users"),
        (#"{"restore-deadline": true}"#, "restore-deadline"),
        ("{\n\"socket\": \"/a\",\n\"socket\": \"/b\"}", "line 3, the key 'socket' is duplicated"),
        (#"{"simulated.decline": ["x"]}"#, #"unknown key simulated.decline: write "simulated": {"decline": …}."#),
        (#"{"console-address": "127.0.0.1:1"}"#, #"unknown key console-address: write "console": {"address": …}."#),
        (#"{"state": "/s\u0000t"}"#, "line 1, a string contains a NUL character"),
        (#"{"setting": ["locale=de\u0000"]}"#, "line 1, a string contains a NUL character"),
        ("[]", "not a JSON object"),
        ("{", "not a JSON object: in line 1, "),
        ("", "not a JSON object: in line 1, "),
    ])
    func anInvalidFileIsRefusedByItsKey(text: String, names: String) throws {
        try inTemporaryDirectory { directory in
            let file = "\(directory)/tilld.json"
            try Data(text.utf8).write(to: URL(filePath: file))
            let error = #expect(throws: TillError.self) {
                try DaemonConfiguration(
                    options: ["catalogue": ["a"]],
                    environment: Self.home,
                    file: file,
                    isRoot: false
                )
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains(names) == true)
        }
    }

    @Test func aMissingFileIsRefused() {
        let error = #expect(throws: TillError.self) {
            try DaemonConfiguration(
                options: ["catalogue": ["a"]],
                environment: Self.home,
                file: "/nowhere/tilld.json",
                isRoot: false
            )
        }
        #expect(
            error?.message == "Cannot read the configuration file /nowhere/tilld.json: No such file or directory."
        )
    }

    @Test func aDirectoryIsNotAFile() {
        let error = #expect(throws: TillError.self) {
            try DaemonConfiguration(options: ["catalogue": ["a"]], environment: Self.home, file: "/", isRoot: false)
        }
        #expect(error?.message == "Cannot read the configuration file /: Is a directory.")
    }

    @Test func zeroRequestsPerSecondMeansNoLimit() throws {
        func rate(_ text: String) throws -> TTRPCServer.RequestRate? {
            try DaemonConfiguration(
                options: ["catalogue": ["a"], "requests-per-second": [text]],
                environment: Self.home,
                file: nil,
                isRoot: false
            ).limits.requestRate
        }
        #expect(try rate("0") == nil)
        #expect(try rate("20") == TTRPCServer.RequestRate(perSecond: 20, burst: 40))
    }
}
