/// The limits of a catalogue. A file that exceeds a limit is refused with an error that names the limit.
package enum CatalogueLimits {
    /// The size of one file.
    package static let fileBytes = 16 * 1024 * 1024
    /// The maximum nesting depth of arrays and objects. Xcode's own files reach seven.
    package static let nestingDepth = 64
    /// Values of any kind in one file. This limits the memory for reading.
    package static let values = 2_000_000
    /// Products in one file, and in a catalogue of several files.
    package static let products = 10_000
    /// A name, a description or another public text, in UTF-8 bytes.
    package static let textBytes = 1024
    /// Localisations of one product.
    package static let localizations = 500
    /// Offers of one subscription, of all types.
    package static let offers = 40
    /// The number in a period, the count of an offer's periods, and the level in a group.
    package static let count = 1000
    /// Digits before and after the decimal point of a price.
    package static let priceDigits = 12
    /// Pieces of content of one product.
    package static let contentsOfProduct = 16
    /// Pieces of content in one manifest, and in a catalogue of several files.
    package static let contents = 4096
    /// The length of one piece of content: 1 TiB.
    package static let contentBytes: Int64 = 1 << 40
    /// A source in a manifest, in UTF-8.
    package static let sourceBytes = 2048
    /// Numbers in the version of a piece of content.
    package static let versionNumbers = 4
    /// Digits of each of these numbers.
    package static let versionDigits = 9
    /// The listed errors, and separately the listed warnings, of one file; more are only counted.
    package static let diagnostics = 1000
}
