import Testing
import TillSimulation

@Suite struct SimulationTests {
    @Test func everySeedKeepsEveryPromise() {
        for seed in UInt64(1)...200 {
            #expect(Simulation.run(seed: seed).violations.isEmpty)
        }
    }
}
