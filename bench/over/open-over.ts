/** Spreads the work of a command over the workers of a database. */

import type { Writable } from 'node:stream'
import type { Spread, Spreading } from '../../sim/campaign/over-cores.ts'
import { several } from '../../server/terminal/text.ts'
import { shownAddress } from './address.ts'
import { Coordinator } from './coordinator.ts'
import {
  closeFarm,
  createCampaign,
  openFarm,
  removeCampaign,
  campaigns,
  usualLeaseSeconds,
} from './farm.ts'

export type OverOptions = {
  readonly address: string
  /** The name of the command, for messages. */
  readonly command: string
  readonly stderr: Writable
  readonly leaseSeconds?: number
}

export type Over = Spreading & {
  /** Takes back all that is handed out, and disconnects. */
  readonly close: () => Promise<void>
}

/** Connects. Throws `BadInput` if the database cannot be used. */
export async function openOver(options: OverOptions): Promise<Over> {
  const { address, command, stderr, leaseSeconds = usualLeaseSeconds } = options
  const farm = await openFarm(address, command)
  // Campaigns whose coordinator was killed are removed by those that come after.
  await campaigns(farm)
  const campaign = await createCampaign(farm, leaseSeconds)
  const coordinator = new Coordinator(farm, campaign, leaseSeconds)
  stderr.write(`spread over the workers of: mergeyard worker ${shownAddress(address)}\n`)
  const spread: Spread = (work) => coordinator.spread(work)
  return {
    spread,
    note: () => ` over ${several(coordinator.workers.count, 'worker')}`,
    close: async () => {
      coordinator.stop()
      await removeCampaign(farm, campaign)
      await closeFarm(farm)
    },
  }
}
