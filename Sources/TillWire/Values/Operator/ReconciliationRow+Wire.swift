import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension ReconciliationRow: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ReconciliationRow: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ReconciliationRow> {
        unsafe till__v1__reconciliation_row__init
    }

    init(fields: Till__V1__ReconciliationRow) throws(DecodingFailure) {
        let hasLedgerState =
            unsafe fields.ledger_state_presence_case == TILL__V1__RECONCILIATION_ROW__LEDGER_STATE_PRESENCE_LEDGER_STATE
        let hasLedgerAmount =
            unsafe fields.ledger_amount_presence_case
            == TILL__V1__RECONCILIATION_ROW__LEDGER_AMOUNT_PRESENCE_LEDGER_AMOUNT
        let hasProviderAmount =
            unsafe fields.provider_amount_presence_case
            == TILL__V1__RECONCILIATION_ROW__PROVIDER_AMOUNT_PRESENCE_PROVIDER_AMOUNT
        try unsafe self.init(
            paymentID: UUID(fields.payment_id, "payment_id"),
            finding: Finding(fields.finding.rawValue, "finding"),
            ledgerState: hasLedgerState ? ChargeSummary.State(fields.ledger_state.rawValue, "ledger_state") : nil,
            ledgerAmount: hasLedgerAmount ? fields.ledger_amount : nil,
            providerAmount: hasProviderAmount ? fields.provider_amount : nil,
            currency: String(field: fields.currency),
            reference: .optional(fields.reference),
            productID: .optional(fields.product_id)
        )
    }

    func fill(_ fields: inout Till__V1__ReconciliationRow, _ scratch: borrowing Scratch) {
        unsafe fields.payment_id = scratch.bytes(paymentID.bytes)
        unsafe fields.finding = Till__V1__ReconciliationRow__Finding(finding.enumerator)
        if let ledgerState {
            unsafe fields.ledger_state_presence_case = TILL__V1__RECONCILIATION_ROW__LEDGER_STATE_PRESENCE_LEDGER_STATE
            unsafe fields.ledger_state = Till__V1__ChargeState(ledgerState.enumerator)
        }
        if let ledgerAmount {
            unsafe fields.ledger_amount_presence_case =
                TILL__V1__RECONCILIATION_ROW__LEDGER_AMOUNT_PRESENCE_LEDGER_AMOUNT
            unsafe fields.ledger_amount = ledgerAmount
        }
        if let providerAmount {
            unsafe fields.provider_amount_presence_case =
                TILL__V1__RECONCILIATION_ROW__PROVIDER_AMOUNT_PRESENCE_PROVIDER_AMOUNT
            unsafe fields.provider_amount = providerAmount
        }
        unsafe fields.currency = scratch.text(currency)
        unsafe fields.reference = scratch.text(reference ?? "")
        unsafe fields.product_id = scratch.text(productID ?? "")
    }
}
