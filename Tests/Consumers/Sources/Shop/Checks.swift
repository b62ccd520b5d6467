import StoreKit

#if MODE_5
    import PurchaseKit5
#else
    import PurchaseKit6
#endif

/// Prints without buffering, also to a pipe.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

func check(_ isTrue: Bool, _ what: String) {
    say(isTrue ? "ok    \(what)" : "FAIL  \(what)")
    if !isTrue { exit(1) }
}

/// Checks without a daemon: a spy, fakes, and errors of every kind.
func checkWithFakes() {
    let spy = SpyQueue()
    let store = PurchaseStore(queue: spy)
    var results: [PurchaseResult] = []
    store.purchase(FakeProduct("a")) { results.append($0) }
    store.purchase(FakeProduct("b")) { results.append($0) }
    check(spy.payments.map(\.productIdentifier) == ["a", "b"], "a spy receives payments")
    spy.send([FakeTransaction(spy.payments[1], .failed, error: SKError(.paymentCancelled))])
    spy.send([FakeTransaction(spy.payments[0], .purchased)])
    if case .cancelled? = results.first, case .purchased(let transaction)? = results.last {
        check(transaction.productIdentifier == "a", "a payment is matched by its value")
    } else {
        check(false, "a spy's transactions reach their closures")
    }
    check(spy.finished.count == 2, "a spy receives finishes")
    check(!type(of: spy as SKPaymentQueue).canMakePayments(), "canMakePayments is overridden")
    check(FakeResponse([FakeProduct("a")]).products.count == 1, "a response is faked")
    check(text(of: SKError(.paymentCancelled)) == "cancelled", "an SKError is caught by its code")
    check(text(of: NSError(domain: SKErrorDomain, code: 5)) == "not sold", "an NSError is caught as an SKError")
    check(text(of: NSError(domain: SKErrorDomain, code: 4)) == "not allowed", "an NSError is switched over")
    check(text(of: SKError(_nsError: NSError(domain: SKErrorDomain, code: 99))) == "store 99", "codes are open")
    check(text(of: URLError(.timedOut)) == "network -1001", "a URLError is not an SKError")
    check(text(of: NSError(domain: "other", code: 1)) == "other 1", "an error of another domain is not an SKError")
}
