/**
 * The features of swarm scenarios. Every feature is off in a share of the scenarios, because a
 * feature can hide a fault that occurs only without it, and features that are always on together
 * are never tested separately.
 *
 * Features belong to families. A family that disturbs the queue may be off as a whole, or all of
 * them may be off: only without disturbances is it determined which pull requests must merge.
 */

import type { Draw } from '../random/draw.ts'

type FeatureRow = {
  readonly family: Family
  readonly name: string
  /** The share of scenarios that have it, among those in which its family is on. */
  readonly share: number
}

const families = {
  queue: 1,
  requests: 1,
  truth: 1,
  time: 1,
  people: 0.6,
  operators: 0.45,
  flakes: 0.5,
  runner: 0.55,
  host: 0.5,
} as const

/** Families that disturb the queue. */
const disturbing: ReadonlySet<Family> = new Set(['people', 'operators', 'flakes', 'runner', 'host'])

/** The share of scenarios in which all disturbing families are off. */
const undisturbedShare = 0.2

/** The same among those with a rare situation, which a disturbance often prevents. */
const undisturbedShareOfRare = 0.6

/** The share of scenarios that have a rare situation. */
const rareShare = 0.12

type Family = keyof typeof families

const features = [
  { family: 'queue', name: 'batching', share: 0.7 },
  { family: 'queue', name: 'depth', share: 0.4 },
  { family: 'queue', name: 'optimistic merging', share: 0.35 },
  { family: 'queue', name: 'parallel mode', share: 0.3 },
  { family: 'queue', name: 'direct merges', share: 0.2 },
  { family: 'queue', name: 'bisection slots', share: 0.5 },
  { family: 'queue', name: 'adaptive policy', share: 0.35 },
  { family: 'queue', name: 'tip tests', share: 0.25 },
  // Values far above those of everyday queues, and enough pull requests for them.
  { family: 'queue', name: 'far settings', share: 0.12 },
  // One of those in situations.ts.
  { family: 'queue', name: 'rare situations', share: rareShare },

  { family: 'requests', name: 'priorities', share: 0.35 },
  { family: 'requests', name: 'urgents', share: 0.35 },
  { family: 'requests', name: 'noBatch', share: 0.3 },
  { family: 'requests', name: 'stacks', share: 0.25 },
  // Priority values that have no name.
  { family: 'requests', name: 'unnamed priorities', share: 0.15 },
  { family: 'requests', name: 'long target lists', share: 0.2 },

  { family: 'truth', name: 'culprits', share: 0.75 },
  { family: 'truth', name: 'pairs', share: 0.3 },
  { family: 'truth', name: 'clashing pairs', share: 0.3 },
  { family: 'truth', name: 'generated clashes', share: 0.15 },
  { family: 'truth', name: 'fixes', share: 0.3 },
  { family: 'truth', name: 'text conflicts', share: 0.35 },

  { family: 'time', name: 'bursts', share: 0.5 },
  { family: 'time', name: 'coarse clock', share: 0.5 },
  { family: 'time', name: 'quiet tail', share: 0.5 },
  { family: 'time', name: 'varying lengths', share: 0.6 },
  { family: 'time', name: 'lengths by pull request', share: 0.3 },
  { family: 'time', name: 'slow pull requests', share: 0.2 },
  { family: 'time', name: 'failing lengths', share: 0.3 },
  { family: 'time', name: 'waits for a runner', share: 0.2 },
  { family: 'time', name: 'shuffled ties', share: 0.5 },
  { family: 'time', name: 'unordered numbers', share: 0.3 },

  { family: 'people', name: 'cancels', share: 0.5 },
  { family: 'people', name: 'pushes', share: 0.4 },
  { family: 'people', name: 'restarts', share: 0.4 },
  { family: 'people', name: 'late restarts', share: 0.35 },
  { family: 'people', name: 'resubmissions', share: 0.45 },
  { family: 'people', name: 'other priorities', share: 0.3 },
  { family: 'people', name: 'manual merges', share: 0.25 },
  { family: 'people', name: 'branch pushes', share: 0.35 },
  { family: 'people', name: 'breaking pushes', share: 0.25 },
  { family: 'people', name: 'mends', share: 0.3 },
  { family: 'people', name: 'target uploads', share: 0.6 },
  { family: 'people', name: 'late uploads', share: 0.35 },
  { family: 'people', name: 'objections', share: 0.25 },
  { family: 'people', name: 'cancels on the dot', share: 0.5 },
  { family: 'people', name: 'second thoughts', share: 0.3 },
  { family: 'people', name: 'meddling', share: 0.2 },
  // Who was evicted although healthy comes again until it lands.
  { family: 'people', name: 'authors come again', share: 0.25 },

  { family: 'operators', name: 'pauses', share: 0.45 },
  { family: 'operators', name: 'pauses on the dot', share: 0.3 },
  { family: 'operators', name: 'drains', share: 0.35 },
  { family: 'operators', name: 'mode switches', share: 0.45 },
  { family: 'operators', name: 'new settings', share: 0.5 },
  { family: 'operators', name: 'idle at first', share: 0.16 },
  // The server forgets who has left, sooner than any real one.
  { family: 'operators', name: 'forgets', share: 0.4 },

  { family: 'flakes', name: 'flaky runs', share: 0.5 },
  { family: 'flakes', name: 'flaky tests', share: 0.45 },
  { family: 'flakes', name: 'retried tests', share: 0.3 },
  { family: 'flakes', name: 'flaky pull requests', share: 0.4 },
  { family: 'flakes', name: 'flaky first runs', share: 0.3 },
  // A run fails, somebody restarts it at once, and it fails in another test.
  { family: 'flakes', name: 'second tries', share: 0.3 },
  { family: 'flakes', name: 'flakes by pull request', share: 0.4 },
  { family: 'flakes', name: 'quarantine', share: 0.4 },
  { family: 'flakes', name: 'quarantine changes', share: 0.4 },
  // An entry ends while a batch is bisected.
  { family: 'flakes', name: 'quarantine runs out', share: 0.6 },
  // One test flakes now and then, and nothing else fails.
  { family: 'flakes', name: 'lone flakes', share: 0.25 },

  { family: 'runner', name: 'lost runs', share: 0.45 },
  { family: 'runner', name: 'hung runs', share: 0.35 },
  { family: 'runner', name: 'short timeout', share: 0.15 },
  { family: 'runner', name: 'outages', share: 0.35 },
  { family: 'runner', name: 'server outages', share: 0.25 },
  { family: 'runner', name: 'late results', share: 0.4 },
  { family: 'runner', name: 'doubled results', share: 0.4 },
  { family: 'runner', name: 'contradicted results', share: 0.4 },
  { family: 'runner', name: 'crashes', share: 0.6 },
  { family: 'runner', name: 'lost commands', share: 0.2 },

  { family: 'host', name: 'slow merges', share: 0.7 },
  { family: 'host', name: 'very slow merges', share: 0.35 },
  { family: 'host', name: 'refused merges', share: 0.45 },
  { family: 'host', name: 'conflicting merges', share: 0.3 },
  // What is refused was proven together with what one depends on that is still bisected.
  { family: 'host', name: 'refused below a stack', share: 0.16 },
  { family: 'host', name: 'pushes at merge time', share: 0.3 },
  { family: 'host', name: 'pushes during a merge', share: 0.3 },
  { family: 'host', name: 'groups land', share: 0.35 },
  { family: 'host', name: 'hosts come later', share: 0.2 },
  { family: 'host', name: 'partial pushes', share: 0.3 },
  { family: 'host', name: 'conflicts at the build', share: 0.4 },
] as const satisfies readonly FeatureRow[]

export type Feature = (typeof features)[number]['name']

export const allFeatures: readonly Feature[] = features.map(({ name }) => name)

/** Returns the features of a scenario, in the order of the table, always with those in `wanted`. */
export function featuresOf(draw: Draw, wanted: readonly Feature[] = []): ReadonlySet<Feature> {
  const isOn = (name: string, share: number): boolean => draw.chance('swarm feature', name, share)
  const isRare = wanted.includes('rare situations') || isOn('rare situations', rareShare)
  const isUndisturbed = isOn('undisturbed', isRare ? undisturbedShareOfRare : undisturbedShare)
  const isFamilyOn = (family: Family): boolean =>
    !(isUndisturbed && disturbing.has(family)) && isOn(`all of ${family}`, families[family])
  const chosen = features.filter(
    ({ family, name, share }) => wanted.includes(name) || (isFamilyOn(family) && isOn(name, share)),
  )
  return new Set(chosen.map(({ name }) => name))
}
