package import NIOCore

/// Content to serve: a block that is repeated up to a length, so that a gigabyte takes no memory.
package struct ServedBytes: Sendable {
    package let block: ByteBuffer
    package let length: Int

    package init(_ bytes: [UInt8]) {
        block = ByteBuffer(bytes: bytes)
        length = bytes.count
    }

    /// Makes pseudo-random bytes from a seed.
    package init(seed: UInt64, length: Int, blockLength: Int = 1 << 20) {
        var state = seed &* 2 &+ 1
        let bytes = (0..<min(length, blockLength)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        block = ByteBuffer(bytes: bytes)
        self.length = length
    }

    /// Returns bytes from the offset on: at least one, and at most the maximum.
    func slice(at offset: Int, atMost maximum: Int) -> ByteBuffer? {
        guard offset < length, block.readableBytes > 0 else {
            return nil
        }
        let place = offset % block.readableBytes
        let count = min(maximum, block.readableBytes - place, length - offset)
        return block.getSlice(at: block.readerIndex + place, length: count)
    }
}
