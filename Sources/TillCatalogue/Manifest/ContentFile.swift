import Crypto
import FoundationEssentials
import TillModel

/// A piece of content that lies in a file.
enum ContentFile {
    /// What of the manifest the file is not as: the member, and in one clause why; nil when all is right.
    ///
    /// - Parameter progress: Called with the number of bytes that were read so far.
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
            let digits = sum.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            return "sha256 is not that of \(path.quoted), which is \(digits)"
        } catch {
            return "source is \(path.quoted), but \(error.reason)"
        }
    }

    /// The sum of the first `length` bytes, so that a file which grows has an end.
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
