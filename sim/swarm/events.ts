/** The events of a swarm scenario: actions of people and operators. */

import type { Priority, PullRequestEntry, ScenarioEvent } from '../scenario/scenario.ts'
import type { Feature } from './features.ts'
import { closesCircle, unnamedPriority, someTargets } from './pull-requests.ts'
import { quarantineEvents, quarantineThatRunsOut, situationOf } from './situations.ts'
import { valueOf } from './queue.ts'
import { type ScenarioDraft, instant, typicalMinutes } from './scenario-draft.ts'

/** Returns the events in order of time. */
export function eventsOf(
  draft: ScenarioDraft,
  entries: readonly PullRequestEntry[],
): ScenarioEvent[] {
  // The last pull request may arrive after a long pause, so the one before it counts.
  const busyUntil = entries.at(-2)?.at ?? entries.at(-1)?.at ?? 0
  const events = [
    ...entries.flatMap((entry) => eventsOn(draft, entry)),
    ...circlesAsked(draft, entries),
    ...branchPushes(draft, busyUntil),
    ...breakingPushes(draft, busyUntil),
    ...attachedHosts(draft, busyUntil),
    ...quarantineEvents(draft, busyUntil),
    ...quarantineThatRunsOut(draft, entries),
    ...operations(draft, busyUntil),
    ...perturbations(draft, entries),
    ...(situationOf(draft)?.events?.(entries, draft.dice) ?? []),
  ]
  return events.sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
}

/** The chance of each event per pull request, in scenarios that have the feature. */
const rates = {
  cancels: 0.25,
  pushes: 0.2,
  'cancels on the dot': 0.4,
  'pauses on the dot': 0.4,
  'second thoughts': 0.4,
  restarts: 0.25,
  'late restarts': 0.35,
  'second tries': 0.4,
  resubmissions: 0.4,
  'other priorities': 0.3,
  'manual merges': 0.08,
  'target uploads': 0.3,
  'late uploads': 0.3,
  objections: 0.15,
  forgets: 0.4,
} as const satisfies Partial<Record<Feature, number>>

function eventsOn(draft: ScenarioDraft, entry: PullRequestEntry): ScenarioEvent[] {
  const { dice, has } = draft
  const { number, at = 0 } = entry
  const happens = (feature: keyof typeof rates): boolean =>
    has(feature) && dice.chance(`${feature} ${number}`, rates[feature])
  const within = (what: string, runs: number): number =>
    instant(draft, `${what} ${number} at`, { from: at, to: at + runs * typicalMinutes })
  const events: ScenarioEvent[] = []
  if (happens('cancels')) events.push({ at: within('cancel', 4), do: 'cancel', number })
  if (happens('cancels on the dot')) {
    const end = endOfRun(draft, `cancel ${number}`, at)
    events.push({ at: end, do: 'cancel', number })
  }
  if (happens('pauses on the dot')) {
    const end = endOfRun(draft, `pause ${number}`, at)
    const until = end + dice.between(`pause ${number} minutes`, 1, 30)
    events.push({ at: end, do: 'updateQueue', set: { state: 'PAUSED' } })
    events.push({ at: until, do: 'updateQueue', set: { state: 'RUNNING' } })
  }
  if (happens('second thoughts')) {
    events.push(...secondThought(draft, number, within('second thought', 1)))
  }
  if (happens('pushes')) {
    const verb = dice.pick(`push ${number}`, [
      'push',
      'push',
      'close',
      'convertToDraft',
      'changeBase',
    ])
    events.push({ at: within('push', 4), do: verb, number })
  }
  if (happens('restarts')) events.push({ at: within('restart', 4), do: 'restart', number })
  if (happens('second tries')) {
    // Shortly after the end of its first run, if that started within one more run.
    const runs = dice.between(`second try ${number} after`, 1, 2)
    events.push({ at: at + runs * typicalMinutes + 1, do: 'restart', number })
  }
  if (happens('resubmissions')) {
    const options = newSubmitOptions(draft, number)
    events.push({ at: within('resubmission', 8), do: 'submit', number, ...options })
  }
  if (happens('other priorities')) {
    const priority = otherPriority(draft, number)
    events.push({ at: within('other priority', 2), do: 'submit', number, priority })
  }
  if (happens('manual merges')) {
    events.push({ at: within('manual merge', 3), do: 'manualMerge', number })
  }
  if (happens('target uploads')) {
    const targets = someTargets(draft, `anew ${number}`)
    events.push({ at: within('upload', 3), do: 'setImpactedTargets', number, targets })
  }
  if (happens('objections')) {
    const from = within('objection', 2)
    events.push({ at: from, do: 'setMergeable', number, mergeable: false })
    if (dice.chance(`objection ${number} ends`, 0.7)) {
      const until = instant(draft, `objection ${number} until`, { from, to: from + 30 })
      events.push({ at: until, do: 'setMergeable', number, mergeable: true })
    }
  }
  return [...events, ...lateEventsOn(draft, entry, { happens, within })]
}

type EventDice = {
  readonly happens: (feature: keyof typeof rates) => boolean
  /** An instant within so many lengths of a run from the submission on. */
  readonly within: (what: string, runs: number) => number
}

/** What comes when the pull request may be in a bisection, or waits with a failure. */
function lateEventsOn(
  draft: ScenarioDraft,
  { number, dependsOn }: PullRequestEntry,
  { happens, within }: EventDice,
): ScenarioEvent[] {
  const events: ScenarioEvent[] = []
  if (happens('late restarts')) {
    const [first, second] = [within('late restart', 12), within('later restart', 12)]
    events.push({ at: first, do: 'restart', number }, { at: second, do: 'restart', number })
  }
  if (happens('late uploads')) {
    const targets = someTargets(draft, `late ${number}`)
    events.push({ at: within('late upload', 12), do: 'setImpactedTargets', number, targets })
  }
  if (happens('forgets')) {
    const at = within('forget', 12)
    if (dependsOn) events.push({ at, do: 'submit', number, dependsOn })
    const gone = dependsOn?.[0] ?? number
    events.push({ at: at + 1, do: 'forget', number: gone })
    const comesAgain = draft.dice.chance(`${number} comes again`, 0.4)
    if (comesAgain) events.push({ at: at + 3, do: 'submit', number: gone })
  }
  return events
}

function otherPriority({ dice, has }: ScenarioDraft, number: number): Priority {
  const isUnnamed = has('unnamed priorities') && dice.chance(`other unnamed ${number}`, 0.7)
  return isUnnamed
    ? unnamedPriority(dice, `then ${number}`)
    : dice.pick(`other priority ${number}`, ['high', 'low', 'low'])
}

/**
 * The instant when one of its runs ends, if the first started at once; or a moment later, when slow
 * merges are under way.
 */
function endOfRun({ dice, has }: ScenarioDraft, what: string, at: number): number {
  const end = at + dice.between(`${what} on the dot`, 1, 3) * typicalMinutes
  const isLater = has('slow merges') && dice.chance(`${what} in mid-merge`, 0.7)
  return isLater ? end + dice.pick(`${what} later`, [0.05, 0.15, 1.5, 6]) : end
}

/**
 * It is to be tested alone from its next run on, and the restart makes that run come soon. Of a batch
 * under test only an urgent one is.
 */
function secondThought({ dice }: ScenarioDraft, number: number, at: number): ScenarioEvent[] {
  const isUrgent = dice.chance(`second thought ${number} urgent`, 0.5)
  const alone = isUrgent ? ({ priority: 'urgent' } as const) : { noBatch: true }
  return [
    { at, do: 'submit', number, ...alone },
    { at: at + typicalMinutes / 2, do: 'restart', number },
  ]
}

function newSubmitOptions(
  { dice, has }: ScenarioDraft,
  number: number,
): { priority?: Priority; noBatch?: boolean; sha?: string; dependsOn?: readonly number[] } {
  const isUrgent = has('urgents') && dice.chance(`urgent again ${number}`, 0.4)
  const isAlone = has('noBatch') && dice.chance(`noBatch again ${number}`, 0.6)
  const isPushed = dice.chance(`another commit ${number}`, 0.4)
  const isApart = has('stacks') && dice.chance(`apart ${number}`, 0.3)
  return {
    ...(isUrgent ? { priority: 'urgent' } : {}),
    ...(isAlone ? { noBatch: true } : {}),
    ...(isPushed ? { sha: 'b' } : {}),
    ...(isApart ? { dependsOn: [] } : {}),
  }
}

/** What closes a circle is refused; a listed pull request would be a fault of the scenario. */
function circlesAsked(draft: ScenarioDraft, entries: readonly PullRequestEntry[]): ScenarioEvent[] {
  return entries.flatMap(({ number, at = 0 }, index) => {
    const before = entries[index - 1]
    if (!before || !closesCircle(draft, index)) return []
    return [{ at, do: 'submit', number, dependsOn: [before.number] }]
  })
}

/** Returns one to three instants at which the feature acts; none if the scenario lacks it. */
function instants(draft: ScenarioDraft, feature: Feature, busyUntil: number): number[] {
  if (!draft.has(feature)) return []
  const count = draft.dice.between(`${feature} count`, 1, 3)
  const span = { from: 0, to: busyUntil + 3 * typicalMinutes }
  return Array.from({ length: count }, (_, nth) => instant(draft, `${feature} ${nth}`, span))
}

function branchPushes(draft: ScenarioDraft, busyUntil: number): ScenarioEvent[] {
  return instants(draft, 'branch pushes', busyUntil).map((at) => ({ at, do: 'pushToBranch' }))
}

/** Mostly somebody mends the branch by another push; else a pull request does, or nobody. */
function breakingPushes(draft: ScenarioDraft, busyUntil: number): ScenarioEvent[] {
  const { dice } = draft
  return instants(draft, 'breaking pushes', busyUntil).flatMap((at, nth): ScenarioEvent[] => {
    const breaks = dice.pick(`what push ${nth} breaks`, [
      ['builds'],
      ['starts'],
      ['builds', 'starts'],
    ])
    const mendedAt = instant(draft, `push ${nth} is mended at`, { from: at, to: at + 90 })
    const push = { at, do: 'pushToBranch', breaks } as const
    const isMended = dice.chance(`push ${nth} is mended`, 0.6)
    return isMended ? [push, { at: mendedAt, do: 'pushToBranch', mends: true }] : [push]
  })
}

/** Mostly refused: nobody may be in the line. */
function attachedHosts(draft: ScenarioDraft, busyUntil: number): ScenarioEvent[] {
  return instants(draft, 'hosts come later', busyUntil).map((at, nth): ScenarioEvent => {
    const codeHost = draft.dice.pick(`host ${nth}`, ['answers', 'groups', 'groups'])
    return {
      at: nth === 0 && draft.dice.chance('host at once', 0.4) ? 0 : at,
      do: 'attachHost',
      codeHost,
    }
  })
}

function operations(draft: ScenarioDraft, busyUntil: number): ScenarioEvent[] {
  const { dice } = draft
  const idle = (feature: 'pauses' | 'drains', state: 'PAUSED' | 'DRAINING'): ScenarioEvent[] =>
    instants(draft, feature, busyUntil).flatMap((at, nth) => {
      const end = instant(draft, `${feature} ${nth} end`, { from: at, to: at + 40 })
      const begins: ScenarioEvent = { at, do: 'updateQueue', set: { state } }
      const ends: ScenarioEvent = { at: end, do: 'updateQueue', set: { state: 'RUNNING' } }
      return dice.chance(`${feature} ${nth} ends`, 0.8) ? [begins, ends] : [begins]
    })
  const switches = instants(draft, 'mode switches', busyUntil).map((at, nth): ScenarioEvent => {
    const mode = dice.pick(`mode ${nth}`, ['parallel', 'single'])
    return { at, do: 'updateQueue', set: { mode } }
  })
  const changes = instants(draft, 'new settings', busyUntil).map((at, nth): ScenarioEvent => {
    return { at, do: 'updateQueue', set: newSettings(draft, nth) }
  })
  return [...idle('pauses', 'PAUSED'), ...idle('drains', 'DRAINING'), ...switches, ...changes]
}

// Perturbations, the feature `meddling`: many random events on few pull requests in quick
// succession. They reach rare combinations, for example a restart during a pause and a merge.

type PerturbationTarget = {
  readonly draft: ScenarioDraft
  /** Part of the draw keys; differs by perturbation. */
  readonly key: string
  readonly at: number
  readonly number: number
  /** Another one, or the same. */
  readonly other: number
}

type Perturbation = (target: PerturbationTarget) => readonly ScenarioEvent[]

const about =
  (
    event: Readonly<{ do: 'restart' | 'cancel' | 'push' | 'manualMerge' | 'forget' }>,
  ): Perturbation =>
  ({ at, number }) => [{ at, number, ...event }]

const submit =
  (options: Readonly<{ priority?: Priority; noBatch?: true }> = {}): Perturbation =>
  ({ draft: { dice }, key, at, number }) => {
    const isPushed = dice.chance(`${key} with another commit`, 0.3)
    return [{ at, do: 'submit', number, ...options, ...(isPushed ? { sha: key } : {}) }]
  }

/** From now on it depends on another one. */
const submitOnTop: Perturbation = ({ at, number, other }) =>
  other < number ? [{ at, do: 'submit', number, dependsOn: [other] }] : []

const pushToBranch: Perturbation = ({ at }) => [{ at, do: 'pushToBranch' }]

const upload: Perturbation = ({ draft, key, at, number }) => [
  { at, do: 'setImpactedTargets', number, targets: someTargets(draft, key) },
]

const object: Perturbation = ({ draft, key, at, number }) => [
  { at, do: 'setMergeable', number, mergeable: draft.dice.chance(`${key} after all`, 0.5) },
]

const idle =
  (state: 'PAUSED' | 'DRAINING'): Perturbation =>
  ({ draft: { dice }, key, at }) => {
    const until = at + dice.between(`${key} until`, 1, 30)
    const begins: ScenarioEvent = { at, do: 'updateQueue', set: { state } }
    const ends: ScenarioEvent = { at: until, do: 'updateQueue', set: { state: 'RUNNING' } }
    return dice.chance(`${key} ends`, 0.85) ? [begins, ends] : [begins]
  }

const changeSettings: Perturbation = ({ draft, key, at }) => [
  { at, do: 'updateQueue', set: newSettings(draft, key) },
]

/** Has an effect only now and then, because a mode switch prevents all other starts. */
const switchModes: Perturbation = ({ draft: { dice }, key, at }) => {
  const mode = dice.pick(`${key} to`, ['parallel', 'single'])
  return dice.chance(`${key} really`, 0.3) ? [{ at, do: 'updateQueue', set: { mode } }] : []
}

/** An entry that is listed twice is chosen twice as often. */
const perturbationKinds = [
  about({ do: 'restart' }),
  about({ do: 'restart' }),
  about({ do: 'cancel' }),
  about({ do: 'push' }),
  about({ do: 'manualMerge' }),
  submit(),
  submit(),
  submit({ priority: 'urgent' }),
  submit({ priority: 'low' }),
  submit({ noBatch: true }),
  submitOnTop,
  about({ do: 'forget' }),
  pushToBranch,
  upload,
  upload,
  object,
  idle('PAUSED'),
  idle('PAUSED'),
  idle('DRAINING'),
  changeSettings,
  changeSettings,
  switchModes,
] as const

/** Some perturbations happen at multiples of this, so that they coincide. */
const stepMinutes = typicalMinutes / 2

/** Returns unordered events on the first twelve pull requests only, so that each gets many. */
function perturbations(
  draft: ScenarioDraft,
  entries: readonly PullRequestEntry[],
): ScenarioEvent[] {
  const { dice, has } = draft
  const [first, ...others] = entries.slice(0, 12).map(({ number }) => number)
  if (!has('meddling') || first === undefined) return []
  const span = dice.pick('meddling span', [60, 120, 200])
  const count = dice.between('meddling count', 10, 40)
  return Array.from({ length: count }, (_, nth) => {
    const key = `meddling ${nth}`
    const anywhere = dice.between(`${key} at`, 0, span)
    const at = dice.chance(`${key} on the dot`, 0.3)
      ? anywhere - (anywhere % stepMinutes)
      : anywhere
    const number = dice.pick(`${key} with`, [first, ...others])
    const other = dice.pick(`${key} and`, [first, ...others])
    return dice.pick(`${key} does`, perturbationKinds)({ draft, key, at, number, other })
  }).flat()
}

type NewSettings = Extract<ScenarioEvent, { do: 'updateQueue' }>['set']

/** Returns one change of settings. `nth` is part of the draw keys, so it must differ by change. */
function newSettings(draft: ScenarioDraft, nth: number | string): NewSettings {
  const { dice } = draft
  const depth = dice.chance(`no depth from now ${nth}`, 0.2)
    ? 0
    : valueOf(draft, 'depth', `new depth ${nth}`)
  const settings: readonly [NewSettings, ...NewSettings[]] = [
    { concurrency: valueOf(draft, 'concurrency', `new concurrency ${nth}`) },
    {
      bisectionConcurrency: valueOf(draft, 'bisection concurrency', `new bisection slots ${nth}`),
    },
    { batch: true, batchingMinSize: valueOf(draft, 'batch size', `new batch size ${nth}`) },
    { batch: false },
    { batchingMaxWaitTimeMinutes: valueOf(draft, 'batch wait', `new wait ${nth}`) },
    { pendingFailureDepth: depth },
    { canOptimisticallyMerge: dice.chance(`optimistic from now ${nth}`, 0.5) },
    { testingTimeoutMinutes: valueOf(draft, 'timeout', `new timeout ${nth}`) },
    { policy: dice.pick(`policy from now ${nth}`, ['documented', 'adaptive']) },
    { directMergeMode: dice.pick(`direct from now ${nth}`, ['off', 'always']) },
  ]
  return dice.pick(`new setting ${nth}`, settings)
}
