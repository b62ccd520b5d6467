import ArgumentParser
import TillClient
import TillModel
import TillOutput

struct PaymentMethodCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payment-method",
        abstract: "List, add and remove what pays for subscriptions.",
        subcommands: [
            PaymentMethodListVerb.self, PaymentMethodAddVerb.self, PaymentMethodManageVerb.self,
            PaymentMethodRemoveVerb.self,
        ]
    )

    @OptionGroup var common: CommonOptions
}

struct PaymentMethodListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the payment methods, newest first.",
        discussion: """
            Only an account that has paid for a subscription of the application has payment methods. The provider keeps \
            them, and tells at most 100.

            Example: till payment-method list --application org.example.notes
            """
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            let methods = try await queue.paymentMethods()
            try console.print(table: methods.map(PaymentMethodLine.init), asJSON: common.json)
        }
    }
}

struct PaymentMethodAddVerb: PaymentMethodPageVerb {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Print the page on which you add a payment method.",
        discussion: """
            The payment method becomes the default. A renewal that was not paid for is tried again within a minute. \
            Anyone who has the address can change your payment methods.

            Example: till payment-method add --application org.example.notes --open
            """
    )

    static let task = PaymentMethodTask.add

    @OptionGroup var common: CommonOptions

    @OptionGroup var page: PageOptions
}

struct PaymentMethodManageVerb: PaymentMethodPageVerb {
    static let configuration = CommandConfiguration(
        commandName: "manage",
        abstract: "Print the page on which you manage payment methods.",
        discussion: """
            A renewal that was not paid for is tried again within a minute after you have chosen another default. \
            Anyone who has the address can change your payment methods.

            Example: till payment-method manage --application org.example.notes --open
            """
    )

    static let task = PaymentMethodTask.manage

    @OptionGroup var common: CommonOptions

    @OptionGroup var page: PageOptions
}

struct PaymentMethodRemoveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a payment method.",
        discussion: """
            No renewal is paid with it any more. till payment-method list shows which one pays then.

            Example: till payment-method remove pm_1PgafmB7WZ01zgkW6dKueIc5 --application org.example.notes
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The payment method's id; see till payment-method list.", valueName: "id"))
    var id: String

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            try await queue.removePaymentMethod(id)
            try console.print(RemovedMethodLine(id: id), asJSON: common.json)
        }
    }
}

struct PageOptions: ParsableArguments {
    @Flag(help: "Open the page in the browser, with xdg-open.")
    var open = false
}

/// A verb that shows a page for payment methods.
protocol PaymentMethodPageVerb: Verb {
    static var task: PaymentMethodTask { get }
    var page: PageOptions { get }
}

extension PaymentMethodPageVerb {
    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            let address = try await queue.paymentMethodPage(Self.task)
            try console.print(MethodPageLine(page: address), asJSON: common.json)
            console.open(page: address, with: page.open ? console.openPage : nil)
        }
    }
}
