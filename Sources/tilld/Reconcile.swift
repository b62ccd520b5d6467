import ArgumentParser
import Foundation
import TillDaemon
import TillEngine
import TillModel

struct Reconcile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare a stopped daemon's ledger with the provider's record.",
        discussion: """
            Exit status: 0 they agree, 1 they do not agree, 73 the state directory cannot be used, 74 the ledger is \
            damaged or the output cannot be written.
            """
    )

    @Option(help: .init("Read the ledger in this directory.", valueName: "dir"))
    var state: String

    @Flag(help: "Print one JSON object for each charge.")
    var json = false

    func run() async throws {
        let report: Reconciliation
        do {
            report = try await LedgerReport.reconcile(stateDirectory: state)
        } catch let error as TillError {
            throw Failure(error)
        }
        do {
            try print(report)
        } catch let error as TillError {
            throw Failure(output: error)
        }
        if !report.agrees {
            throw ExitCode(1)
        }
    }

    private func print(_ report: Reconciliation) throws {
        for row in report.rows {
            try StandardOutput.write(json ? try JSONLine.text(of: Line(row)) : Line(row).text)
        }
        if !json {
            let verdict = report.agrees ? "The ledger and the provider agree" : "The ledger and the provider DISAGREE"
            try StandardOutput.write("\(verdict): \(report.rows.count) charges compared.")
        }
    }
}

/// The printed line of a charge.
private struct Line: Encodable {
    var paymentID: String
    var finding: String
    var product: String?
    var ledgerState: String?
    var ledgerAmount: Int64?
    var providerAmount: Int64?
    var currency: String?
    var reference: String?

    enum CodingKeys: String, CodingKey {
        case paymentID = "payment_id"
        case finding, product
        case ledgerState = "ledger_state"
        case ledgerAmount = "ledger_amount"
        case providerAmount = "provider_amount"
        case currency, reference
    }

    init(_ row: Reconciliation.Row) {
        paymentID = row.paymentID.text
        finding = row.finding.rawValue
        product = row.ledger?.request.productID
        ledgerState = row.ledger.map { "\($0.state)" }
        ledgerAmount = row.ledger?.request.amount
        providerAmount = row.provider?.amount
        currency = row.provider?.currency ?? row.ledger?.request.currency
        reference = row.provider?.reference ?? row.ledger?.reference
    }

    var text: String {
        let ledger = "ledger \(ledgerState ?? "nothing") \(ledgerAmount.map(String.init) ?? "-")"
        let provider = "provider \(providerAmount.map(String.init) ?? "nothing")"
        return "\(paymentID)  \(product ?? "-")  \(ledger)  \(provider)  \(currency ?? "")  \(finding)"
    }
}
