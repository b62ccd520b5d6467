import Foundation
import StoreKit
import Testing
import TillClient
import TillModel
import TillTesting

@Suite struct ErrorTests {
    private static let stored = NSError(domain: SKErrorDomain, code: 2, userInfo: [NSLocalizedDescriptionKey: "No."])

    @Test(
        "C26: an NSError is cast to an SKError, and back",
        arguments: [stored as any Error, SKError(_nsError: stored)]
    )
    func errorsAreCast(_ error: any Error) throws {
        #expect((error as? SKError)?.code == .paymentCancelled)
        let nsError = error as NSError
        #expect(nsError.domain == "SKErrorDomain" && nsError.code == 2 && nsError.localizedDescription == "No.")
        #expect(((error as Any) as? NSError)?.code == 2)
        let optional: (any Error)? = error
        #expect((optional as NSError?)?.userInfo[NSLocalizedDescriptionKey] as? String == "No.")
        if case SKError.paymentCancelled? = optional {} else { Issue.record("The pattern does not match.") }
        #expect(error.localizedDescription == "No.")
    }

    @Test(
        "C26: errors are caught as values, by code and as NSError",
        arguments: [stored as any Error, SKError(_nsError: stored)]
    )
    func errorsAreCaught(_ error: any Error) {
        do { throw error } catch SKError.paymentCancelled {} catch { Issue.record("Not caught by its code.") }
        do { throw error } catch let error as SKError { #expect(error.code == .paymentCancelled) } catch {
            Issue.record("Not caught by its type.")
        }
        do { throw error } catch SKError.unknown { Issue.record("Caught by another code.") } catch {}
    }

    @Test("C26: an error of another domain is not an SKError")
    func anErrorOfAnotherDomainIsNotAnSKError() {
        let other: any Error = NSError(domain: NSCocoaErrorDomain, code: 2)
        #expect(other as? SKError == nil)
        if case SKError.paymentCancelled = other { Issue.record("The pattern matches another domain.") }
    }

    @Test("C27: errors are hashed and compared")
    func errorsAreHashed() {
        let (one, other) = (SKError(.paymentCancelled), SKError(.paymentCancelled))
        #expect(one == other && one.hashValue == other.hashValue && Set([one, other]).count == 1)
        #expect(one != SKError(.unknown))
    }

    @Test("C28: any NSError is wrapped and keeps its code")
    func anyErrorIsWrapped() {
        let wrapped = SKError(_nsError: URLError(.notConnectedToInternet) as NSError)
        #expect(wrapped.code.rawValue == -1009 && wrapped.errorCode == -1009)
        #expect((wrapped as NSError).domain == NSURLErrorDomain)
        let made = SKError(.unknown, userInfo: ["a": 1])
        #expect(made.errorUserInfo["a"] as? Int == 1 && made.userInfo["a"] as? Int == 1)
        #expect(SKError.storeProductNotAvailable.rawValue == 5 && SKError.errorDomain == SKErrorDomain)
        let code: SKError.Code = SKError.paymentNotAllowed
        #expect(code == .paymentNotAllowed && SKError(code).localizedDescription != "")
    }

    @Test("C29: failures are SKErrors with details, connection failures are URLErrors")
    func failuresHaveApplesTypes() async throws {
        try await StoreHarness.run { store in
            store.provider.scripted.script("coins", [.decline])
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins failed")
            let error = try #require(observer.updated.last?.error as? SKError)
            #expect(error.code == .unknown && error.localizedDescription == "Declined.")
            let said = [
                SKTillErrorKey.reason, SKTillErrorKey.moneyMoved, SKTillErrorKey.retry, SKTillErrorKey.providerCode,
            ].map { error.userInfo[$0] as? String }
            #expect(said == ["providerDeclined", "no", "safe", "card_declined"])
        }
        try await StoreHarness.runUnserved { store in
            let queue = store.queue { $0.callTimeout = .milliseconds(1) }
            let (delegate, request) = (ProductsDelegate(), SKProductsRequest(productIdentifiers: ["coins"]))
            request.delegate = delegate
            SKPaymentQueue.$replacement.withValue(queue) { request.start() }
            await delegate.saw("failed")
            let error = try #require(delegate.errors.first)
            #expect((error as? URLError)?.code == .cannotConnectToHost)
            #expect((error as NSError).domain == NSURLErrorDomain)
        }
    }
}
