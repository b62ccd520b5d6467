import Glibc

/// A clock that all processes of the machine share.
public enum Clock {
    /// The seconds since the machine started.
    public static func now() -> Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
