import FoundationEssentials
import Glibc
import TillEngine
import TillModel

extension DownloadRun {
    /// Copies a local file.
    func fetchFile() async throws {
        let (file, validator) = try open()
        if await files.validator() == validator {
            guard lseek(file.number, off_t(receivedBytes), SEEK_SET) == receivedBytes else {
                throw DownloadError(.unavailable, "The file cannot be read.")
            }
        } else {
            try await files.beginAnew(validator: validator)
            begin(at: 0)
        }
        while true {
            let step = try await files.copy(from: file, atMost: batchBytes)
            try await received(step.received)
            try Task.checkCancellation()
            guard !step.isEnd else { break }
        }
        guard receivedBytes == order.source.content.length else {
            throw DownloadError.otherLength(receivedBytes, than: order.source.content.length)
        }
    }

    /// - Returns: The file, and a validator that changes when the file changes.
    private func open() throws(DownloadError) -> (Descriptor, validator: String) {
        let path = order.source.url.path
        let number = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else {
            throw DownloadError(.unavailable, "The file cannot be opened: \(unsafe String(cString: strerror(errno))).")
        }
        let file = Descriptor(owning: number)
        guard let status = file.status(), status.isRegularFile else {
            throw DownloadError(.unavailable, "The content's source is not a regular file.")
        }
        guard status.st_size == order.source.content.length else {
            throw .otherLength(Int64(status.st_size), than: order.source.content.length)
        }
        let times =
            "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
        return (file, "\(status.st_dev) \(status.st_ino) \(times)")
    }
}
