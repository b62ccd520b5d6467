import Crypto
import FoundationEssentials
import TillModel

/// Checks a piece of content in a local file.
enum ContentFile {
    /// Returns how the file differs from the manifest, as the member's name and one clause; nil if it matches.
    ///
    /// - Parameter progress: Called with the number of bytes read so far.
    static func fault(of source: ContentSource, _ progress: (Int64) -> Void) -> String? {
        let path = source.url.path(percentEncoded: false)
        let length = source.content.length
        do throws(CatalogueFile.Failure) {
            let file = try RegularFile(path: path)
            guard file.size == length else {
                return "length is \(length), but \(path.quoted) has \(file.size) bytes"
            }
            let sum = try sha256(of: file, length: length, progress)
            guard sum != source.sha256 else { return nil }
            return "sha256 does not match \(path.quoted), whose SHA-256 is \(sum.hexadecimal)"
        } catch {
            return "source is \(path.quoted), but \(error.reason)"
        }
    }

    /// The SHA-256 of the first `length` bytes; the limit ensures that reading a growing file ends.
    private static func sha256(
        of file: borrowing RegularFile,
        length: Int64,
        _ progress: (Int64) -> Void
    ) throws(CatalogueFile.Failure) -> [UInt8] {
        var sum = SHA256()
        var count: Int64 = 0
        while count < length, case let chunk = try file.next(), !chunk.isEmpty {
            sum.update(data: chunk.prefix(Int(clamping: length - count)))
            count += Int64(chunk.count)
            progress(min(count, length))
        }
        return Array(sum.finalize())
    }
}
