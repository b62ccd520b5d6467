import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing

/// A role for one application: commands of operators and of approvers name the application that their user names.
@Suite struct PolicyCommandTests {
    @Test(arguments: [
        ["find"], ["audit"], ["reconcile"], ["settings"], ["clock"], ["export"],
    ])
    func aRoleForOneApplicationNeedsItsName(command: [String]) async throws {
        try await Site.with { site in
            let me = geteuid()
            let policy = """
                {"version": 1, "rules": [
                    {"users": [\(me)], "applications": ["org.example.notes"], "role": "operator"},
                    {"users": [\(me)], "applications": ["*"]}
                ]}
                """
            try Data(policy.utf8).write(to: URL(filePath: site.path("policy.json")))
            _ = unsafe chmod(site.path("policy.json"), 0o600)
            _ = try await site.startServingDaemon(["--policy", site.path("policy.json")])
            let refused = try await site.till(command)
            #expect(refused.exit == .status(EX_NOPERM), "\(refused.lines)")
            let done = try await site.till(command + ["--application", "org.example.notes"])
            #expect(done.exit == .status(0), "\(done.lines)")
        }
    }
}
