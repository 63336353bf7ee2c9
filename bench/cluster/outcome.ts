/** What has come of a rehearsal, to be judged. */

import type { Register } from '../../server/replica/register.ts'
import type { Told } from './clients.ts'
import type { SimulatedDatabase } from './database.ts'
import type { Receivers } from './receivers.ts'
import type { Replay } from './replay.ts'

export type Failover = { readonly atMs: number; readonly kept: number }

export type Outcome = {
  readonly database: SimulatedDatabase
  readonly receivers: Receivers
  readonly told: readonly Told[]
  readonly failovers: readonly Failover[]
  /** What each server knows at the end; null if it answered nobody. */
  readonly atTheEnd: readonly (Register | null)[]
}

/** An outcome with the log as one server alone replays it. */
export type Judged = Outcome & { readonly replay: Replay }
