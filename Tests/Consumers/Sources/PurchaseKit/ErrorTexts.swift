import StoreKit

/// Examines an error in all ways that applications do.
public func text(of error: Error) -> String {
    do {
        throw error
    } catch SKError.paymentCancelled {
        return "cancelled"
    } catch let error as SKError where error.code == .storeProductNotAvailable {
        return "not sold"
    } catch let error as SKError {
        switch error.code {
        case .paymentNotAllowed: return "not allowed"
        case .unknown, .clientInvalid, .paymentInvalid: return "store \(error.errorCode)"
        default: return "store \(error.code.rawValue)"
        }
    } catch let error as URLError {
        return "network \(error.code.rawValue)"
    } catch {
        let error = error as NSError
        return "\(error.domain) \(error.code)"
    }
}
