import FuzzTargets
import Glibc

// These are the functions that libFuzzer calls (https://llvm.org/docs/LibFuzzer.html). The environment selects the
// target.

private let target: FuzzTarget? = {
    let name = unsafe getenv("TILL_FUZZ_TARGET").map { unsafe String(cString: $0) }
    return FuzzTarget.all.first { $0.name == name }
}()

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeRawPointer?, _ arguments: UnsafeRawPointer?) -> CInt {
    guard target == nil else { return 0 }
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    print("Set TILL_FUZZ_TARGET to one of: \(names).")
    exit(2)
}

@_cdecl("LLVMFuzzerTestOneInput")
public func run(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    unsafe target?.run(Array(UnsafeRawBufferPointer(start: start, count: count)))
    return 0
}
