import Testing

/// Each rule finds the samples that break it, and accepts those that keep it.
@Suite struct RuleTests {
    @Test(arguments: RuleSample.all)
    func aPlantedViolationIsFound(_ sample: RuleSample) {
        for text in sample.breaking {
            let violations = sample.rule.violations(SourceFile(path: sample.path, text: text))
            #expect(!violations.isEmpty, "nothing was found in \(text)")
        }
    }

    @Test(arguments: RuleSample.all)
    func aTextThatKeepsTheRuleIsAccepted(_ sample: RuleSample) {
        for text in sample.keeping {
            #expect(sample.rule.violations(SourceFile(path: sample.path, text: text)) == [])
        }
    }

    @Test func everyRuleHasASample() {
        let samples = RuleSample.all.filter { !$0.breaking.isEmpty }
        let sampled = Set(samples.map { $0.rule.testDescription })
        #expect(Rule.all.map { $0.testDescription }.filter { !sampled.contains($0) } == [])
    }

    @Test func aViolationHasItsLine() {
        let file = SourceFile(path: "Sources/TTRPC/A.swift", text: "// a\nlet a = try! b()\n")
        let violations = Rule.noForce.violations(file)
        #expect(violations == [Violation(path: "Sources/TTRPC/A.swift", line: 2, text: "let a = try! b()")])
    }
}
