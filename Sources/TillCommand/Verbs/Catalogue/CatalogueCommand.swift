import ArgumentParser

struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "Work on catalogue files, without a daemon.",
        subcommands: [CatalogueCheckVerb.self]
    )

    @OptionGroup var common: CommonOptions
}
