import Foundation
import Glibc
import Testing
import TillModel
import TillService
@testable import TillDaemon

@Suite struct PolicyFileTests {
    private static let names = SystemNames(
        user: { ["mia": 1001, "tom": 1002, "nobody": 65534][$0] },
        group: { ["children": 2000][$0] }
    )

    @Test func aFileIsReadRuleByRule() throws {
        let rules = try rules(
            #"""
            {"version": 1, "rules": [
                {"users": ["mia", 1003], "applications": ["org.example.notes", "org.example.games.*"], "account": "family"},
                {"groups": ["children"], "users": ["*"], "applications": ["*"], "role": "approver"},
                {"units": ["kiosk.service"], "applications": ["org.example.kiosk"], "account": "kiosk", "role": "customer"},
                {"users": [0], "applications": ["*"], "role": "operator"}
            ]}
            """#
        )
        #expect(
            rules == [
                AccessRule(
                    users: [1001, 1003],
                    applications: ["org.example.notes", "org.example.games.*"].compactMap(ApplicationPattern.init),
                    account: "family"
                ),
                AccessRule(groups: [2000], role: .approver),
                AccessRule(
                    units: ["kiosk.service"],
                    applications: ["org.example.kiosk"].compactMap(ApplicationPattern.init),
                    account: "kiosk"
                ),
                AccessRule(users: [0], role: .operator),
            ]
        )
    }

    @Test(arguments: [
        ("", "in line 1"),
        ("{\n\"version\": 1,\n}", "in line 3"),
        (#"{"version": 1, "version": 1}"#, "is duplicated"),
        ("[]", "version must be 1"),
        (#"{"version": 2, "rules": []}"#, "version must be 1"),
        (#"{"version": 1}"#, "rules must be a list"),
        (#"{"version": 1, "rules": {}}"#, "rules must be a list"),
        (#"{"version": 1, "rules": [], "rule": []}"#, "rule is not a key"),
        (#"{"version": 1, "rules": [7]}"#, "rules[0] must be an object"),
        (#"{"version": 1, "rules": [{"user": [1], "applications": ["*"]}]}"#, "rules[0].user is not a key"),
        (#"{"version": 1, "rules": [{"applications": ["*"]}]}"#, "rules[0] must have users, groups or units"),
        (#"{"version": 1, "rules": [{"users": [1]}]}"#, "rules[0].applications is missing"),
        (
            #"{"version": 1, "rules": [{"users": [], "applications": ["*"]}]}"#,
            "rules[0].users must be a list of 1 to 256"
        ),
        (#"{"version": 1, "rules": [{"users": "mia", "applications": ["*"]}]}"#, "rules[0].users must be a list"),
        (#"{"version": 1, "rules": [{"users": ["ann"], "applications": ["*"]}]}"#, "'ann' is neither"),
        (#"{"version": 1, "rules": [{"users": [-1], "applications": ["*"]}]}"#, "'-1' is neither"),
        (#"{"version": 1, "rules": [{"users": [4294967295], "applications": ["*"]}]}"#, "'4294967295' is neither"),
        (#"{"version": 1, "rules": [{"users": [true], "applications": ["*"]}]}"#, "another kind of value"),
        (#"{"version": 1, "rules": [{"users": ["*", 1], "applications": ["*"]}]}"#, "'*' is neither"),
        (#"{"version": 1, "rules": [{"groups": ["*"], "applications": ["*"]}]}"#, "rules[0].groups must be numbers"),
        (#"{"version": 1, "rules": [{"users": [65534], "applications": ["*"]}]}"#, "must not contain 65534"),
        (#"{"version": 1, "rules": [{"users": ["nobody"], "applications": ["*"]}]}"#, "must not contain 65534"),
        (#"{"version": 1, "rules": [{"units": ["kiosk"], "applications": ["*"]}]}"#, "units must be system"),
        (#"{"version": 1, "rules": [{"units": ["a/b.service"], "applications": ["*"]}]}"#, "units must be system"),
        (#"{"version": 1, "rules": [{"users": [1], "applications": ["org.*.x"]}]}"#, "not 'org.*.x'"),
        (#"{"version": 1, "rules": [{"users": [1], "applications": ["org*"]}]}"#, "not 'org*'"),
        (#"{"version": 1, "rules": [{"users": [1], "applications": [".*"]}]}"#, "not '.*'"),
        (#"{"version": 1, "rules": [{"users": [1], "applications": [""]}]}"#, "not ''"),
        (
            #"{"version": 1, "rules": [{"users": [1], "applications": ["*"], "account": ""}]}"#,
            "rules[0].account must be"
        ),
        (
            #"{"version": 1, "rules": [{"users": [1], "applications": ["*"], "role": "root"}]}"#,
            "customer, approver, operator"
        ),
    ])
    func aMistakeIsNamedByItsLineOrKey(_ text: String, _ words: String) {
        let error = #expect(throws: TillError.self) { try rules(text) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("/policy.json") == true)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func thereAreLimitsOfRulesElementsAndBytes() throws {
        let rule = #"{"users": [1], "applications": ["*"]}"#
        func policy(rules count: Int) -> String {
            #"{"version": 1, "rules": [\#(Array(repeating: rule, count: count).joined(separator: ","))]}"#
        }
        #expect(try rules(policy(rules: PolicyLimits.rules)).count == PolicyLimits.rules)
        #expect(throws: TillError.self) { try rules(policy(rules: PolicyLimits.rules + 1)) }
        func users(_ count: Int) -> String {
            let users = (1...count).map(String.init).joined(separator: ",")
            return #"{"version": 1, "rules": [{"users": [\#(users)], "applications": ["*"]}]}"#
        }
        #expect(try rules(users(PolicyLimits.elements)).first?.users?.count == PolicyLimits.elements)
        #expect(throws: TillError.self) { try rules(users(PolicyLimits.elements + 1)) }
        let padding = String(repeating: " ", count: PolicyLimits.fileBytes - policy(rules: 1).utf8.count)
        #expect(try rules(policy(rules: 1) + padding).count == 1)
        let error = #expect(throws: TillError.self) { try rules(policy(rules: 1) + padding + " ") }
        #expect(error?.message.contains("larger than 256 KiB") == true)
    }

    @Test(
        arguments: [
            (0o644, nil), (0o600, nil), (0o444, nil), (0o664, "chmod go-w"), (0o646, "chmod go-w"),
            (0o602, "chmod go-w"),
        ] as [(Int, String?)]
    )
    func onlyItsOwnerMayChangeIt(_ mode: Int, _ words: String?) throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/policy.json"
            try write(#"{"version": 1, "rules": []}"#, to: path, mode: mode)
            guard let words else {
                #expect(try PolicyFile.rules(path: path) == [])
                return
            }
            let error = #expect(throws: TillError.self) { try PolicyFile.rules(path: path) }
            #expect(error?.message.contains("\(words) \(path)") == true)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func itBelongsToRootOrTheDaemonsUser() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/policy.json"
            try write(#"{"version": 1, "rules": []}"#, to: path, mode: 0o644)
            #expect(unsafe chown(path, 1000, 0) == 0)
            let error = #expect(throws: TillError.self) { try PolicyFile.rules(path: path) }
            #expect(error?.message.contains("belongs to user 1000") == true)
        }
    }

    @Test func whatIsNotAFileIsRefused() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/policy.json"
            let link = "\(directory)/link"
            let pipe = "\(directory)/pipe"
            try write(#"{"version": 1, "rules": []}"#, to: path, mode: 0o644)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            for place in [directory, link, pipe, "\(directory)/nothing"] {
                let error = #expect(throws: TillError.self) { try PolicyFile.rules(path: place) }
                #expect(error?.message.contains(place) == true)
            }
        }
    }

    @Test(arguments: ["allow-users", "operators", "approvers"])
    func itStandsInPlaceOfTheListsOfUsers(_ key: String) throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/policy.json"
            try write(#"{"version": 1, "rules": [{"users": [7], "applications": ["a"]}]}"#, to: path, mode: 0o600)
            var options: [String: [String]] = ["catalogue": ["a"], "policy": [path]]
            let configuration = try DaemonConfiguration(
                options: options,
                environment: ["HOME": "/people/someone", "XDG_RUNTIME_DIR": "/run/user/7"],
                file: nil,
                isRoot: false
            )
            let rule = AccessRule(users: [7], applications: ["a"].compactMap(ApplicationPattern.init))
            #expect(configuration.policy == AccessPolicy(own: geteuid(), rules: [rule]))
            options[key] = ["7"]
            let error = #expect(throws: TillError.self) {
                try DaemonConfiguration(
                    options: options,
                    environment: ["HOME": "/people/someone", "XDG_RUNTIME_DIR": "/run/user/7"],
                    file: nil,
                    isRoot: false
                )
            }
            #expect(error?.message.contains("policy and \(key)") == true)
        }
    }

    private func rules(_ text: String) throws -> [AccessRule] {
        var result: [AccessRule] = []
        try inTemporaryDirectory { directory in
            let path = "\(directory)/policy.json"
            try write(text, to: path, mode: 0o644)
            result = try PolicyFile.rules(path: path, names: Self.names)
        }
        return result
    }

    private func write(_ text: String, to path: String, mode: Int) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}
