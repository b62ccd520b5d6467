import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

extension StoreOperator {
    /// From one day to the longest advance. A simulation begins in 2027, so one or a few advances pass 2035, 2038 and
    /// twenty years. From 2038 on, dates have one bit less for fractions of a second.
    private static let daysOfAdvances = [1, 7, 30, 31, 365, 730, 1825, 3650, 7300]
    /// The timeout of an advance: twenty years of renewals take long on a slow disk.
    private static let advanceTimeout = Duration.seconds(300)

    /// Advances the store's clock, and checks at the moment of the answer that everything due by then is done.
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
            // The advance concerns the whole store, so only one history notes it.
            world.queues.first.map {
                note(.actAnswered(action: "AdvanceClock", subject: "clock", identity: nil), $0)
            }
        } catch {
            world.note("operator: the advance was answered \(error)")
        }
    }
}
