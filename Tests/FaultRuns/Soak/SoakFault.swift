/// A fault that happens to a daemon or its applications in a soak.
enum SoakFault: String, CaseIterable, Sendable {
    case killWorker = "kill of an application"
    case pauseWorker = "pause of an application"
    case pauseDaemon = "pause of the daemon"
    case hostilePeer = "hostile peer"
    case clockJump = "jump of the wall clock"
    case killDaemon = "kill of the daemon"
    case killBoth = "kill of both"
    case restartDaemon = "restart of the daemon"
    case fullDisk = "full disk"
    case writeError = "failed flush"

    /// The faults that the daemon must survive.
    static let survivable: [SoakFault] = [.killWorker, .pauseWorker, .pauseDaemon, .hostilePeer, .clockJump]
}
