package import FoundationEssentials
import NIOConcurrencyHelpers
import TillCrypto
package import TillEngine
import TillModel

/// The sessions of the operator page. They are kept in memory only, so they end with the daemon.
///
/// An operator asks for an invitation over the daemon's socket, where the kernel says who calls. The invitation opens one
/// session, and within a minute. Both are random texts of 256 bits, of which only the hashes are kept.
package final class ConsoleSessions: Sendable {
    /// Who uses the page.
    package struct Session: Hashable, Sendable {
        /// The operator's user ID, by which the audit log names the changes that are made on the page.
        package var uid: UInt32
        /// Whether it may change nothing.
        package var isReadOnly: Bool

        package init(uid: UInt32, isReadOnly: Bool = false) {
            self.uid = uid
            self.isReadOnly = isReadOnly
        }
    }

    private struct Entry {
        var session: Session
        var end: Date
    }

    private struct State {
        var invitations: [SHA256Digest: Entry] = [:]
        var sessions: [SHA256Digest: Entry] = [:]
    }

    /// How long an invitation can be used, in seconds.
    package static let invitationTime: TimeInterval = 60
    /// How long a session lasts without a request, in seconds.
    package static let idleTime: TimeInterval = 3_600
    /// Invitations, and sessions, at the same time. The one that would end first gives way to another.
    package static let countMaximum = 32

    private let time: any TimeSource
    private let state = NIOLockedValueBox(State())

    /// - Parameter time: The machine's clock. It is not the store's, which operators may advance.
    package init(time: any TimeSource = SystemTime()) {
        self.time = time
    }

    /// Makes an invitation to a session of this user.
    ///
    /// - Returns: The secret that opens the session.
    package func invite(_ session: Session) -> String {
        let now = time.now()
        let secret = Self.makeSecret()
        let invitation = Entry(session: session, end: now.addingTimeInterval(Self.invitationTime))
        state.withLockedValue { Self.add(invitation, under: secret, to: &$0.invitations, now: now) }
        return secret
    }

    /// Opens the session of an invitation, which cannot be used again.
    ///
    /// - Returns: The session and its secret; nil for an invitation that does not exist, was used or is too old.
    package func open(_ invitation: String) -> (secret: String, session: Session)? {
        let now = time.now()
        let secret = Self.makeSecret()
        return state.withLockedValue { state in
            guard let entry = state.invitations.removeValue(forKey: Self.hash(invitation)), now < entry.end else {
                return nil
            }
            let session = Entry(session: entry.session, end: now.addingTimeInterval(Self.idleTime))
            Self.add(session, under: secret, to: &state.sessions, now: now)
            return (secret, entry.session)
        }
    }

    /// The session of a secret, which lasts longer by this request; nil if there is none.
    package func session(of secret: String) -> Session? {
        let now = time.now()
        let key = Self.hash(secret)
        return state.withLockedValue { state in
            guard let entry = state.sessions[key], now < entry.end else {
                state.sessions[key] = nil
                return nil
            }
            state.sessions[key]?.end = now.addingTimeInterval(Self.idleTime)
            return entry.session
        }
    }

    /// Ends a session.
    package func close(_ secret: String) {
        state.withLockedValue { $0.sessions[Self.hash(secret)] = nil }
    }

    private static func add(_ entry: Entry, under secret: String, to entries: inout [SHA256Digest: Entry], now: Date) {
        entries = entries.filter { now < $0.value.end }
        if entries.count >= countMaximum, let first = entries.min(by: { $0.value.end < $1.value.end }) {
            entries[first.key] = nil
        }
        entries[hash(secret)] = entry
    }

    private static func makeSecret() -> String {
        Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    private static func hash(_ secret: String) -> SHA256Digest {
        SHA256Digest(of: secret.utf8)
    }
}
