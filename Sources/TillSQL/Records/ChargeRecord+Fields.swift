import FoundationEssentials
import TillEngine
import TillModel

extension ChargeRecord {
    /// Describes the fields of the charge that pays for a transaction, whose row it shares. What it has in common with the
    /// transaction and its queue is not stored again.
    init(
        _ coder: inout some FieldCoder,
        of transaction: TransactionRecord,
        in name: () throws -> QueueName,
        _ value: Self?
    ) throws {
        let payment = transaction.payment
        let request = value?.request
        let state: State = try coder.choice(1, value?.state)
        let attempts = try coder.intIfPresent(2, value?.attempts.unless(0)) ?? 0
        let createdAt = try coder.date(3, value?.createdAt)
        let dueAt = try coder.date(4, value?.dueAt)
        let reference = try coder.textIfPresent(5, value?.reference)
        let sale = transaction.sale
        let amount = try coder.integerIfPresent(6, request?.amount.unless(sale?.amount)) ?? sale?.amount
        let currency =
            try coder.textIfPresent(7, request?.currency.unlessSameBytes(as: sale?.currency)) ?? sale?.currency
        let exclusiveGroup = try coder.textIfPresent(8, value?.exclusiveGroup)
        let amountAfterOffer = try coder.integerIfPresent(9, value?.amountAfterOffer)
        let renewalOffer: AppliedOffer? = try coder.valueIfPresent(10, value?.renewalOffer)
        let subscriptionKey = try coder.integerIfPresent(11, value?.subscriptionKey)
        let paymentID = try coder.uuidIfPresent(12, request?.paymentID.unless(payment.id))
        let productID = try coder.textIfPresent(13, request?.productID.unlessSameBytes(as: payment.productID))
        let quantity = try coder.intIfPresent(14, request?.quantity.unless(payment.quantity))
        guard let amount, let currency else {
            throw UnreadableField()
        }
        let name = try name()
        let application = try coder.textIfPresent(15, request?.application.unlessSameBytes(as: name.application))
        let account = try coder.textIfPresent(16, request?.account.unlessSameBytes(as: name.account))
        self.init(
            key: transaction.key,
            transactionKey: transaction.key,
            subscriptionKey: subscriptionKey,
            queue: transaction.queue,
            exclusiveGroup: exclusiveGroup,
            request: ChargeRequest(
                paymentID: paymentID ?? payment.id,
                application: application ?? name.application,
                account: account ?? name.account,
                productID: productID ?? payment.productID,
                quantity: quantity ?? payment.quantity,
                amount: amount,
                currency: currency
            ),
            amountAfterOffer: amountAfterOffer,
            renewalOffer: renewalOffer,
            state: state,
            attempts: attempts,
            createdAt: createdAt,
            dueAt: dueAt,
            reference: reference
        )
    }
}
