import TillClient

/// A client's connection to the daemon, of whichever kind.
protocol Connection: Sendable {
    var configuration: ClientConfiguration { get }

    func close() async
}

extension AuthorizationAgent: Connection {}
extension PaymentQueue: Connection {}
extension TillOperator: Connection {}
