/** Requests in any order, on a host in memory: quicker than with the fake of a real one, so it plays many. */

import { requestOrders } from './testing/request-orders.ts'
import { isApproved, simulatedStage } from './testing/simulated-api.ts'

//
requestOrders({
  host: 'a simulated host',
  stage: simulatedStage,
  isApproved: ({ number }, state) => isApproved(state, number),
  seeds: 250,
})
