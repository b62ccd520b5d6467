import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

extension StoreOperator {
    /// From days to the longest advance: from 2027, when a simulation begins, one or a few pass 2035 and 2038, from which
    /// on dates have a bit less for fractions of a second, and twenty years.
    private static let daysOfAdvances = [1, 7, 30, 31, 365, 730, 1825, 3650, 7300]
    /// Twenty years of renewals take a while where the disk is slow.
    private static let advanceTimeout = Duration.seconds(300)

    /// Advances the store's clock, and examines at the moment of the answer whether everything due by then is done.
    func advanceClock() async {
        let days = world.random.element(of: Self.daysOfAdvances) ?? 1
        let span = Duration.seconds(days * 86400)
        world.note("operator: advances the clock by \(days) days")
        do throws(TillError) {
            try await caller.call(timeout: Self.advanceTimeout) { [unowned world] (engine) throws(TillError) in
                let end = engine.clock().now.addingTimeInterval(span / .seconds(1))
                let reading = try await engine.advanceClock(by: span, by: Self.identity)
                await world.examineAdvance(by: days, to: end, reading)
            }
            // Of the whole store, so that one history tells of it.
            world.queues.first.map {
                note(.actAnswered(action: "AdvanceClock", subject: "clock", identity: nil), $0)
            }
        } catch {
            world.note("operator: that was answered \(error)")
        }
    }
}
