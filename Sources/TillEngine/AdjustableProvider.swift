package import TillModel

/// A provider whose behaviour operators may change while it runs: a simulated one.
package protocol AdjustableProvider: PaymentProvider {
    /// All that may be set, in a fixed order, as it is in force.
    var settings: [Setting] { get }
    /// - Throws: `invalidArgument` for a name or a value that it does not take.
    func checkSetting(_ name: String, _ value: String) throws(TillError)
    /// Sets, or with nil takes back to what the provider was started with. In force when it returns.
    ///
    /// - Throws: `invalidArgument` for a name or a value that it does not take.
    func changeSetting(_ name: String, to value: String?) throws(TillError)
}
