import TillModel

extension DownloadError {
    static let tooLong = DownloadError(.length, "The content is longer than the catalogue states.")

    static func otherLength(_ actual: Int64, than expected: Int64) -> DownloadError {
        DownloadError(.length, "The content has \(actual) bytes, but the catalogue states \(expected).")
    }
}
