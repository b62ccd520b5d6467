import Testing
import TillEngine
import TillInvariants
import TillModel

@Suite struct VerdictTests {
    @Test func theCorrectStoryHasNoViolation() {
        #expect(Story().verdict.violations == [])
    }

    @Test(arguments: Invariant.allCases)
    func theStoryExaminesEveryInvariant(_ invariant: Invariant) {
        #expect(Story().verdict.examined[invariant, default: 0] > 0)
    }

    @Test func theCorrectStoryHasNoViolationAtAnyMoment() {
        #expect(Story().verdict(at: .any).violations == [])
    }

    @Test func atAnyMomentWorkMayBeUnderWay() throws {
        var story = Story()
        story.change(Story.gems.id) { row in
            row.revision = 14
            row.finishedAt = nil
        }
        story.remove { $0 == .finishAcknowledged(id: Story.gems.id) || $0.shows(17, sequence: 2) || $0 == .settled }
        #expect(story.verdict(at: .any).violations == [])
        #expect(story.verdict.violations.contains { $0.invariant == .everythingEnds })
    }

    @Test func releasedContentMayBePartlyRemoved() {
        var story = Story()
        story.downloads = []
        story.remove { if case .downloadFinished = $0 { true } else { false } }
        for content in [nil, Content(identifier: Story.templates.identifier, files: [:])] {
            story.published[0].content = content
            #expect(story.verdict.violations == [])
        }
    }

    @Test func theEndOfARestoreMayHaveLeftTheLog() {
        var story = Story()
        story.dropRestore()
        #expect(story.verdict.violations == [])
    }

    @Test func aRefundOfAFinishedPurchaseIsDelivered() {
        var story = Story()
        var refunded = Story.row(1, Story.coins, .purchased, 18)
        refunded.revocation = Revocation(date: Story.date, reason: .other, quantity: 1)
        story.change(Story.coins.id) { $0 = refunded }
        story.signAll()
        story.insert(Story.delivered(refunded, sequence: 2, asked: 1_000)) { $0.shows(17, sequence: 2) }
        #expect(story.verdict.violations == [])
        refunded.finishedAt = nil
        story.insert(Story.delivered(refunded, sequence: 2, asked: 1_000)) { $0.shows(17, sequence: 2) }
        #expect(story.verdict.violations.contains { $0.invariant == .finishedStaysFinished })
    }

    @Test func aRowOlderThanASightingIsFoundAtAnyMoment() {
        var story = Story()
        story.change(Story.gems.id) { row in
            row.revision = 13
            row.finishedAt = nil
        }
        #expect(story.verdict(at: .any).violations.contains { $0.invariant == .statesMoveForward })
    }

    @Test(arguments: Plant.all)
    func everyPlantIsFound(_ plant: Plant) {
        var story = Story()
        plant.breakStory(&story)
        let found = Set(story.verdict.violations.map(\.invariant))
        #expect(found.contains(plant.breaks), "found: \(story.verdict.violations)")
    }

    @Test(arguments: Invariant.allCases)
    func everyInvariantHasAPlantThatBreaksIt(_ invariant: Invariant) {
        #expect(Plant.all.contains { $0.breaks == invariant })
    }

    @Test func aRestoredTransactionFinishedDuringTheRestoreIsNotMissed() {
        var story = Story()
        // The sequence was disconnected. It sees the restored transaction only as removed, after the restore's end.
        story.remove { $0.shows(10) }
        #expect(story.verdict.violations == [])
    }
}
