/// The output of a client at the end of a run.
struct LoadReport: Decodable {
    let operations: UInt64
    let events: UInt64
    let errors: UInt64
    let seconds: Double
}
