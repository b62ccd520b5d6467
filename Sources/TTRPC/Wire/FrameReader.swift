package import NIOCore

/// Splits a byte stream into frames.
///
/// A frame that is too long or exceeds a quota is reported once, by its header, and its bytes are skipped as they
/// arrive, so that the reader never holds more than one acceptable frame. After a broken header the reader stops,
/// because the start of the next frame is unknown.
package struct FrameReader {
    /// A frame, or the reason a frame is not delivered.
    package enum Event: Equatable {
        /// A complete frame.
        case frame(Frame)
        /// A frame that the protocol allows but that exceeds this reader's limit.
        case oversized(FrameHeader)
        /// A frame that currently exceeds a quota.
        case refused(FrameHeader)
        /// A header whose length the protocol forbids.
        case broken(FrameHeader)
    }

    private enum State {
        case header
        case data(FrameHeader)
        case skipping(Int)
        case broken
    }

    private let lengthMaximum: Int
    private var buffer = ByteBuffer()
    private var state = State.header

    /// Creates a reader that accepts frames of at most `lengthMaximum` data bytes.
    package init(lengthMaximum: Int) {
        self.lengthMaximum = min(max(lengthMaximum, 0), Frame.lengthMaximum)
    }

    /// Whether the next frame has begun but is not complete.
    var isInsideFrame: Bool {
        switch state {
        case .header: buffer.readableBytes > 0
        case .data, .skipping: true
        case .broken: false
        }
    }

    /// Appends the next bytes of the stream.
    package mutating func append(_ bytes: ByteBuffer) {
        if case .broken = state { return }
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            var bytes = bytes
            buffer.discardReadBytes()
            buffer.writeBuffer(&bytes)
        }
    }

    /// Returns the next event, or `nil` if more bytes are needed.
    ///
    /// - Parameter admits: Whether a frame of so many bytes fits the quota; if so, it is counted until it has been
    ///   handled.
    package mutating func next(admits: (Int) -> Bool = { _ in true }) -> Event? {
        while true {
            switch state {
            case .header:
                guard let header = buffer.readFrameHeader() else { return nothing() }
                if let event = begin(header, admits) { return event }
            case .data(let header):
                guard let data = buffer.readSlice(length: Int(header.length)) else { return nothing() }
                state = .header
                return .frame(Frame(header: header, data: data))
            case .skipping(let count):
                let skipped = min(count, buffer.readableBytes)
                buffer.moveReaderIndex(forwardBy: skipped)
                guard skipped == count else {
                    state = .skipping(count - skipped)
                    return nothing()
                }
                state = .header
            case .broken:
                return nil
            }
        }
    }

    private mutating func begin(_ header: FrameHeader, _ admits: (Int) -> Bool) -> Event? {
        if header.length > UInt32(Frame.lengthMaximum) {
            state = .broken
            buffer = ByteBuffer()
            return .broken(header)
        }
        if header.length > UInt32(lengthMaximum) {
            state = .skipping(Int(header.length))
            return .oversized(header)
        }
        guard admits(Int(header.length)) else {
            state = .skipping(Int(header.length))
            return .refused(header)
        }
        state = .data(header)
        return nil
    }

    /// Releases an empty buffer.
    private mutating func nothing() -> Event? {
        if buffer.readableBytes == 0 { buffer = ByteBuffer() }
        return nil
    }
}
