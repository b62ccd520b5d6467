import TillClient

extension Verb {
    /// Takes a purchase back, with or without its money.
    func takeBack(_ options: RefundOptions, keepsMoney: Bool, _ console: Console) async throws {
        try await withOperator { store in
            let order = RefundOrder(
                id: options.refundID?.uuid ?? .version7(),
                transactionID: try await options.transaction.id(store),
                quantity: options.quantity ?? 0,
                reason: options.cause.value,
                keepsMoney: keepsMoney
            )
            let done: (refund: RefundSummary, transaction: Transaction)
            do throws(TillError) {
                done = try await store.refund(order, because: options.reason.recorded)
            } catch {
                throw CommandFailure(error, socketPath: store.configuration.socketPath)
                    .orRepeat("order", with: "--refund-id \(order.id.text)")
            }
            try console.print(RefundedLine(refund: done.refund, transaction: done.transaction), asJSON: common.json)
        }
    }
}
