import TTRPC
import TillEngine

/// How the client of a connection names a stream in the request that opens it.
enum StreamName: Hashable {
    case observer(UInt32)
    case watch(UInt32)
}

/// The streams of one connection by the names in their requests, so that a client can end each. Not every library sends
/// the metadata that names a call.
struct NamedStreams {
    struct Stream {
        var call: ServerCall
        /// What the stream delivers; nil for a watch.
        var observation: Observation?
    }

    private var streams: [StreamName: Stream] = [:]

    subscript(name: StreamName) -> Stream? {
        streams[name]
    }

    /// Gives the stream its name.
    ///
    /// - Returns: The older stream of this name, which the caller ends: its client has left it, or has lost its answer.
    mutating func insert(_ stream: Stream, as name: StreamName) -> Stream? {
        streams.updateValue(stream, forKey: name)
    }

    /// Takes the name from whichever stream has it.
    mutating func remove(_ name: StreamName) -> Stream? {
        streams.removeValue(forKey: name)
    }

    /// Takes the name from the stream of this call, unless a newer one has it.
    mutating func remove(_ name: StreamName, of call: ServerCall) {
        if streams[name]?.call.streamID == call.streamID {
            streams[name] = nil
        }
    }
}
