package import NIOCore

/// Cuts a stream of bytes into frames.
///
/// A frame longer than accepted, or without room, is reported once, by its header, and then skipped as its bytes arrive,
/// so that no more than one acceptable frame is ever held. After a broken header nothing more is read: where the next frame begins
/// cannot be known.
package struct FrameReader {
    /// What the bytes turned out to be.
    package enum Event: Equatable {
        /// A whole frame.
        case frame(Frame)
        /// A frame that the protocol allows, but that is longer than accepted here.
        case oversized(FrameHeader)
        /// A frame for which there is no room at the moment.
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

    /// Makes a reader that accepts frames of at most `lengthMaximum` data bytes.
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

    /// Takes the next bytes of the stream.
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

    /// Reports what comes next, or nothing when more bytes are needed.
    ///
    /// - Parameter admits: Whether there is room for a frame of so many bytes, from now on until it is dealt with.
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

    /// Lets go of a buffer that holds nothing more.
    private mutating func nothing() -> Event? {
        if buffer.readableBytes == 0 { buffer = ByteBuffer() }
        return nil
    }
}
