// Payment, Transaction, Product and TillError are part of this library's interface.
@_exported public import TillModel
