import Testing
import TillInvariants

@Suite struct VerdictTests {
    @Test func whatIsRightHasNoViolation() {
        #expect(Story().verdict.violations == [])
    }

    @Test(arguments: Invariant.allCases)
    func theStoryPutsEveryInvariantToTheTest(_ invariant: Invariant) {
        #expect(Story().verdict.examined[invariant, default: 0] > 0)
    }

    @Test(arguments: Plant.all)
    func whatIsPlantedIsFound(_ plant: Plant) {
        var story = Story()
        plant.spoil(&story)
        let found = Set(story.verdict.violations.map(\.invariant))
        #expect(found.contains(plant.breaks), "found instead: \(story.verdict.violations)")
    }

    @Test(arguments: Invariant.allCases)
    func everyInvariantHasAPlantThatBreaksIt(_ invariant: Invariant) {
        #expect(Plant.all.contains { $0.breaks == invariant })
    }

    @Test func aRestoredTransactionThatWasFinishedMeanwhileIsNotMissed() {
        var story = Story()
        // The sequence was away: it meets the restored transaction only as removed, behind the restore's end.
        story.remove { $0.shows(10) }
        #expect(story.verdict.violations == [])
    }
}
