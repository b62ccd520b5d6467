import ArgumentParser

struct ReceiptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Show and verify what the store signs.",
        subcommands: [
            ReceiptShowVerb.self, ReceiptApplicationVerb.self, ReceiptRootVerb.self, ReceiptVerifyVerb.self,
            ReceiptRebuildVerb.self,
        ]
    )

    @OptionGroup var common: CommonOptions
}
