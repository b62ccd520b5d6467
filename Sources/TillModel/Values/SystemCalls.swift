#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Makes a system call, such as read(2) or write(2), and repeats it while a signal interrupts it.
///
/// - Returns: The call's result. If it is negative, the call failed, and `errno` says why.
package func retryingInterruptions(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        guard result < 0, errno == EINTR else {
            return result
        }
    }
}
