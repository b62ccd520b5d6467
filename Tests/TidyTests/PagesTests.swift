import Foundation
import Testing

/// The Markdown pages agree with the repository.
@Suite struct PagesTests {
    @Test func everyLinkToAFileLeadsToOne() throws {
        let pages = try Self.pages()
        #expect(pages.contains { $0.text.contains("](Tests/README.md)") })
        let sitePaths = Self.sitePaths(of: pages)
        #expect(sitePaths.contains("/documentation/tillengine/rules"))
        for page in pages {
            let folder = Repository.root.appending(path: page.path).deletingLastPathComponent()
            for link in page.text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
                let target = String(link.output.1)
                let isThere =
                    target.hasPrefix("/documentation/")
                    ? sitePaths.contains(target)
                    : Self.files(of: target, in: page).allSatisfy {
                        FileManager.default.fileExists(atPath: folder.appending(path: $0).path)
                    }
                #expect(isThere, "\(page.path) links to \(target)")
            }
        }
    }

    @Test func everyFileThatAPageNamesExists() throws {
        let pages = try Self.pages()
        #expect(pages.contains { $0.text.contains("`Tests/TillInvariants`") })
        for page in pages {
            let folder = Repository.root.appending(path: page.path).deletingLastPathComponent()
            for name in page.text.matches(of: /`((?:Sources|Tests|Proto|Benchmarks|\.ci)\/[\w.\/+-]+)`/) {
                let exists = [Repository.root, folder].contains {
                    FileManager.default.fileExists(atPath: $0.appending(path: String(name.output.1)).path)
                }
                #expect(exists, "\(page.path) names \(name.output.1)")
            }
        }
    }

    /// Pages that show how to depend on the package name the version that its programs have.
    @Test func everyPageAsksForThePresentVersion() throws {
        let source = try Self.text("Sources/TillModel/Store/DefaultPaths.swift")
        let version = try #require(source.firstMatch(of: /"(\d+\.\d+\.\d+)"/)).output.1
        let asked = try Self.pages().flatMap { page in
            page.text.matches(of: /from: "(\d+\.\d+\.\d+)"/).map { (page.path, $0.output.1) }
        }
        #expect(asked.count >= 2)
        for (page, asked) in asked {
            #expect(asked == version, "\(page) asks for another version")
        }
    }

    @Test func theArchitectureNamesEveryTargetAndNoOther() throws {
        let page = try Self.text("Sources/TillEngine/TillEngine.docc/Architecture.md")
        let section = page.split(separator: "\n### ").first { $0.hasPrefix("Targets\n") } ?? ""
        let cells = section.matches(of: /(?m)^\|([^|]*)\|/).map { $0.output.1 }
        let named = cells.flatMap { $0.matches(of: /`([^`]*)`/) }.map { String($0.output.1) }
        #expect(named.sorted() == Targets.imports.keys.sorted())
    }

    @Test func thePageOfTestsNamesEveryFolder() throws {
        let page = try Self.text("Tests/README.md")
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "Tests").path
        )
        #expect(folders.contains("TidyTests"))
        for folder in folders where !folder.contains(".") {
            #expect(page.contains("`\(folder)`"), "\(folder) is not described")
        }
    }

    @Test func everyLimitNamesTestsThatExist() throws {
        let page = try Self.text("Sources/TTRPC/TTRPC.docc/Limits.md")
        let tests = RulesPage.tests(in: try Repository.files())
        let suites = Set(tests.compactMap { $0.split(separator: "/").first.map(String.init) })
        let named = page.matches(of: /`(\w+Tests(?:\/\w+)?)`/).map { String($0.output.1) }
        #expect(named.count > 20)
        let missing = named.filter { !tests.contains($0) && !suites.contains($0) && $0 != "TidyTests" }
        #expect(missing.isEmpty, "\(missing) do not exist")
    }

    private static func pages() throws -> [SourceFile] {
        try Repository.files().filter { $0.path.hasSuffix(".md") }
    }

    /// The addresses of the catalogues' pages on the documentation site.
    private static func sitePaths(of pages: [SourceFile]) -> Set<String> {
        let paths = pages.compactMap { page -> String? in
            guard let match = page.path.lowercased().firstMatch(of: /(\w+)\.docc\/(\w+)\.md$/) else {
                return nil
            }
            let (_, catalogue, name) = match.output
            return name == catalogue ? "/documentation/\(catalogue)" : "/documentation/\(catalogue)/\(name)"
        }
        return Set(paths)
    }

    /// The files that a link names. In a catalogue, a name alone is a picture with a light and a dark variant.
    private static func files(of target: String, in page: SourceFile) -> [String] {
        guard page.path.contains(".docc/"), !target.contains(".") else {
            return [target]
        }
        return ["Resources/\(target).svg", "Resources/\(target)~dark.svg"]
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }
}
