// As on Apple's systems, `import StoreKit` also imports Foundation, and the enumerations are C enumerations.
@_exported public import CStoreKit
@_exported public import Foundation
