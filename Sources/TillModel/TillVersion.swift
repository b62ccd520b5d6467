/// The version of the programs.
package enum TillVersion {
    package static let text = "0.1.0"
}
