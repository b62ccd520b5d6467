import StoreKit

checkWithFakes()
let shop = Shop()
shop.run()
dispatchMain()
