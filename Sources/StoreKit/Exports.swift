// As on Apple's systems, `import StoreKit` brings Foundation along, and the enumerations are C's.
@_exported public import CStoreKit
@_exported public import Foundation
