import Foundation
import Testing

/// The repository's files keep the rules.
@Suite struct RepositoryTests {
    @Test(arguments: Rule.all)
    func everyFileKeeps(_ rule: Rule) throws {
        let files = try Repository.files()
        #expect(files.contains { $0.path == "Package.swift" })
        let violations = files.flatMap(rule.violations)
        #expect(violations.isEmpty, "\n\(violations.map(\.description).joined(separator: "\n"))")
    }

    @Test func buildProductsAreNotTracked() throws {
        let tracked = try Repository.git("ls-files", "--cached")
        #expect(tracked.contains("Package.swift"))
        #expect(
            tracked.filter { $0.hasSuffix("Package.resolved") || $0.hasPrefix(".build/") || $0.hasSuffix(".o") } == []
        )
    }

    @Test func everyFileWithAnExemptionExists() {
        for path in Rule.pointerFiles.union(Rule.taskFiles) {
            #expect(
                FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path),
                "\(path) is gone"
            )
        }
    }

    @Test func theTableHasEveryTarget() throws {
        let targets = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "Sources").path
        )
        #expect(targets.sorted() == Targets.imports.keys.sorted())
    }

    @Test func everySwiftTargetTreatsWarningsAsErrors() throws {
        let manifest = try #require(try Repository.files().first { $0.path == "Package.swift" }).text
        #expect(manifest.contains(".treatAllWarnings(as: .error)"))
        // After all targets are there, each gets the settings, and none has its own.
        let last = """
            for target in package.targets where target.type != .system {
                target.swiftSettings = settings
            }

            """
        #expect(manifest.hasSuffix(last))
        #expect(!manifest.contains("swiftSettings:"))
    }
}
