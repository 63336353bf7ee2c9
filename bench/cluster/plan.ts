/** What happens in a rehearsal of the protocol: drawn from a seed, and made smaller when something is found. */

import { sequenceOf } from '../../sim/random/draw.ts'

const faultKinds = [
  'crash',
  'power loss',
  'pause',
  'cut',
  'restart of the database',
  'failover',
  'newer engine',
] as const
type FaultKind = (typeof faultKinds)[number]

export type Fault = {
  readonly kind: FaultKind
  readonly atMs: number
  /** How long a pause or a cut takes, and how long a server is away. */
  readonly forMs: number
  readonly server: number
}

export type Plan = {
  readonly seed: number
  readonly servers: number
  readonly clients: number
  readonly faults: readonly Fault[]
}

/** Faults come until then; afterwards everything must find together. */
export const loadMs = 12_000
/** Long enough for locks, sessions, terms and patience to run out after the faults. */
export const settledMs = loadMs + 14_000
const mostFaults = 10
/** Longer than the term of a sender. */
const longestMs = 8_000

export function planOf(seed: number): Plan {
  const draw = sequenceOf(seed, 'plan of a cluster')
  const below = (limit: number): number => Math.floor(draw() * limit)
  const servers = 2 + below(2)
  const clients = 3 + below(4)
  const kinds = faultKinds.filter((kind) => !isRare(kind) || draw() < 0.5)
  // Where failovers come, several of them: what one loses can show after the next.
  if (kinds.includes('failover')) kinds.push(...Array<'failover'>(5).fill('failover'))
  const faults = Array.from({ length: below(mostFaults + 1) }, (): Fault => {
    const kind = kinds[below(kinds.length)] ?? 'crash'
    const atMs = Math.round(500 + draw() * (loadMs - 1_000))
    return { kind, atMs, forMs: Math.round(20 + draw() * longestMs), server: below(servers) }
  })
  return { seed, servers, clients, faults: faults.sort((one, other) => one.atMs - other.atMs) }
}

/** In most seeds these do not happen, because others are judged more strictly without them. */
const isRare = (kind: FaultKind): boolean => kind === 'failover' || kind === 'newer engine'

/** Smaller plans, the smallest first. */
export function* smallerPlans(plan: Plan): Generator<Plan> {
  if (plan.faults.length > 0) yield { ...plan, faults: [] }
  for (const each of plan.faults)
    yield { ...plan, faults: plan.faults.filter((fault) => fault !== each) }
  if (plan.clients > 1) yield { ...plan, clients: plan.clients - 1 }
  if (plan.servers > 1 && plan.faults.every(({ server }) => server < plan.servers - 1))
    yield { ...plan, servers: plan.servers - 1 }
}

export function textOfPlan({ seed, servers, clients, faults }: Plan): string {
  const each = faults.map(
    ({ kind, atMs, forMs, server }) => `${kind} of server ${server} at ${atMs} ms for ${forMs} ms`,
  )
  const what = each.length === 0 ? 'no faults' : each.join(', ')
  return `seed ${seed}, ${servers} servers, ${clients} clients, ${what}`
}
