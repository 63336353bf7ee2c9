/** What can be done, and what it will do, in sentences, before the reader confirms it. */

import { inQueue, type PageState } from './fold.ts'
import type { Act, GroupRow, QueueHead } from '../../frame.ts'
import type { QueueSettings } from '../../../contract/wire.ts'

export type Action = {
  readonly name: string
  readonly label: string
  /** What it is, in a few words. */
  readonly about: string
  readonly button: string
  /** What will happen, in sentences. */
  readonly consequences: readonly string[]
  /** Null while it cannot be done. */
  readonly act: Act | null
  readonly isGrave?: boolean
  /** True if there is nothing to do now. */
  readonly isHidden?: boolean
}

/** The numbers that start again if the group of the pull request changes: its group, and all on top. Nothing stands on one with a conflict. */
export function startingAgain({ line, queue }: PageState, number: number): number[] {
  const groups = linked(line.groups, queue.mode)
  const own = groups.find(({ members }) => members.includes(number))
  if (!own || own.phase === 'conflicted') return []
  const touched = new Set([own.id])
  for (const { id, dependsOn } of groups) {
    if (dependsOn.some((each) => touched.has(each))) touched.add(id)
  }
  return groups
    .filter(({ id }) => touched.has(id))
    .flatMap(({ members }) => members)
    .filter((each) => each !== number)
}

/** Those that the page knows to depend on it, directly or through others: they leave with it. */
function dependingOn({ rows }: PageState, number: number): number[] {
  const reached = new Set([number])
  for (const each of reached) {
    for (const above of rows.get(each)?.dependents ?? []) reached.add(above)
  }
  return [...reached].slice(1)
}

/** The values of the API; a lower value starts sooner. */
export const priorities = { urgent: 0, high: 10, medium: 100, low: 200 } as const

export type Priority = keyof typeof priorities

const verb = (numbers: readonly number[], one: string): string =>
  `${listed(numbers)} ${numbers.length === 1 ? one : one.replace(/s$/, '')}`

export function rowActions(state: PageState, number: number, priority: Priority): Action[] {
  const row = inQueue(state, number)
  const above = dependingOn(state, number)
  const again = startingAgain(state, number)
  const others = again.filter((each) => !above.includes(each))
  const pr = { number }
  const actions: readonly Action[] = [
    {
      name: 'cancel',
      label: 'Cancel…',
      about: 'Take it out of the queue.',
      button: `Cancel #${number}`,
      isGrave: true,
      act: { operation: 'cancelPullRequest', body: { pr } },
      consequences: [
        `${number} leaves the queue. To come back it must be submitted again, and goes to the end.`,
        ...(above.length > 0
          ? [`${verb(above, 'depends')} on it, and leave${above.length === 1 ? 's' : ''} with it.`]
          : []),
        row?.isBisected
          ? 'Its bisection goes on with the others.'
          : others.length === 0
            ? 'Nobody else has to start again.'
            : `${verb(others, 'starts')} again without it.`,
      ],
    },
    {
      name: 'restart',
      label: 'Restart tests…',
      about: 'Test it again, at the same place.',
      button: `Restart the tests of #${number}`,
      act: { operation: 'restartTestsOnPullRequest', body: { pr } },
      consequences: [
        `${number} keeps its place, and its tests run again.`,
        ...(again.length > 0 ? [`${verb(again, 'starts')} again with it.`] : []),
      ],
    },
    {
      name: 'priority',
      label: 'Priority…',
      about: 'Let it start sooner or later.',
      button: `Change the priority of #${number}`,
      act: { operation: 'submitPullRequest', body: { pr, priority } },
      consequences: [
        'It takes the place of its new priority among those that wait.',
        'Urgent ones go to the head of the line at once, and the groups behind start again on top of them.',
      ],
    },
  ]
  if (row) return [...actions]
  return actions.map((each) => {
    return { ...each, act: null, consequences: [`${number} has left the queue.`] }
  })
}

// What the queue as a whole does, and how that is changed.

export const queueStates = {
  RUNNING: { word: 'running', means: '' },
  PAUSED: {
    word: 'paused',
    means: 'Runs under way go on. Nothing starts and nothing merges.',
  },
  DRAINING: {
    word: 'draining',
    means: 'What is in the line is tested and merges. Nothing new starts.',
  },
  SWITCHING_MODES: {
    word: 'switching modes',
    means: 'The line empties first. Then the new mode is in force.',
  },
} as const satisfies Readonly<Record<QueueHead['state'], object>>

export function queueActions({ line, queue }: PageState): Action[] {
  const runs = line.groups.filter(({ run }) => run?.outcome === null).length
  const goOn = runs === 0 ? [] : [`${runs} ${runs === 1 ? 'run goes' : 'runs go'} on to the end.`]
  const actions = [
    {
      name: 'resume',
      label: 'Resume…',
      about: 'Go on as usual.',
      state: 'RUNNING',
      consequences: ['What has passed merges, and pull requests that wait start in their order.'],
    },
    {
      name: 'pause',
      label: 'Pause…',
      about: 'Nothing starts, nothing merges.',
      state: 'PAUSED',
      isGrave: true,
      consequences: [
        ...goOn,
        'Nothing starts and nothing merges until somebody resumes the queue. New pull requests may be submitted; they are not tested.',
      ],
    },
    {
      name: 'drain',
      label: 'Drain…',
      about: 'Finish the line, start nothing.',
      state: 'DRAINING',
      consequences: [
        'What is in the line is tested and merges. Nothing new starts until somebody resumes the queue.',
      ],
    },
  ] as const
  return actions.map(({ state, ...told }) => ({
    ...told,
    button: told.label.replace('…', ' the queue'),
    act: { operation: 'updateQueue', body: { state } },
    isHidden: queue.state === state || queue.state === 'SWITCHING_MODES',
  }))
}

/** "#5", "#5 and #7", or "#5, #6, #7 and 4 more". */
export function listed(numbers: readonly number[], most = 6): string {
  const names = numbers.map((number) => `#${number}`)
  const shown = names.length > most ? names.slice(0, most - 1) : names
  const rest = names.length - shown.length
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

// The line as lanes: groups that are tested on top of each other are one.

export type Lane = readonly PlacedGroup[]

export type PlacedGroup = {
  readonly group: GroupRow
  /** How many groups at most stand one on top of the other below it; its column. */
  readonly depth: number
  /** The groups directly below it: those that it depends on, without those below these. */
  readonly below: readonly GroupRow[]
}

/** In single mode each group stands on the one before it. */
function linked(groups: readonly GroupRow[], mode: QueueHead['mode']): readonly GroupRow[] {
  if (mode === 'parallel') return groups
  const before = (index: number): number[] =>
    groups
      .slice(0, index)
      .slice(-1)
      .map(({ id }) => id)
  return groups.map((group, index) => ({ ...group, dependsOn: before(index) }))
}

export const lanesOf = (groups: readonly GroupRow[], mode: QueueHead['mode']): Lane[] =>
  components(linked(groups, mode)).map(placedIn)

const mostNamed = 3

/** What a lane is about: the targets that most of its groups have; empty for those who may not see them. */
export function targetsOf(lane: Lane): string {
  const counts = new Map<string, number>()
  for (const name of lane.flatMap(({ group }) => group.targets ?? []))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
  const shown = names.slice(0, mostNamed).join(', ')
  return names.length > mostNamed ? `${shown} and others` : shown
}

/** Returns the groups that are connected, each set in the order of the line. */
function components(groups: readonly GroupRow[]): GroupRow[][] {
  const laneOf = new Map<number, GroupRow[]>()
  for (const group of groups) {
    const below = group.dependsOn.flatMap((id) => [laneOf.get(id) ?? []])
    const lane = [...new Set(below.flat()), group]
    for (const { id } of lane) laneOf.set(id, lane)
  }
  return [...new Set(groups.flatMap(({ id }) => [laneOf.get(id) ?? []]))]
}

function placedIn(lane: readonly GroupRow[]): PlacedGroup[] {
  const depths = new Map<number, number>()
  return lane.map((group) => {
    const below = lane.filter(({ id }) => group.dependsOn.includes(id))
    const depth = Math.max(-1, ...below.map(({ id }) => depths.get(id) ?? 0)) + 1
    depths.set(group.id, depth)
    const further = new Set(below.flatMap(({ dependsOn }) => dependsOn))
    return { group, depth, below: below.filter(({ id }) => !further.has(id)) }
  })
}

// The difference between the settings of a queue and those that the reader has chosen.

/** The settings that the page can change, with their names of the API. */
export type Settings = Required<
  Pick<
    QueueSettings,
    'mode' | 'concurrency' | 'batch' | 'batchingMinSize' | 'batchingMaxWaitTimeMinutes'
  >
>

/** The head says nothing of size and wait if there are no batches: then the suggested values. */
export function settingsOf({ mode, concurrency, batching }: QueueHead): Settings {
  return {
    mode,
    concurrency,
    batch: batching !== null,
    batchingMinSize: batching?.size ?? 4,
    batchingMaxWaitTimeMinutes: batching?.waitMinutes ?? 5,
  }
}

/** Sends only what differs, and has a sentence for each. */
export function settingsAction(queue: QueueHead, settings: Settings): Action {
  const before = settingsOf(queue)
  const differs = (name: keyof Settings): boolean => settings[name] !== before[name]
  const differsOfBatch = (name: keyof Settings): boolean =>
    settings.batch && (!before.batch || differs(name))
  const { mode, concurrency, batch, batchingMinSize, batchingMaxWaitTimeMinutes } = settings
  const body: QueueSettings = {
    ...(differs('mode') ? { mode } : {}),
    ...(differs('concurrency') ? { concurrency } : {}),
    ...(differs('batch') ? { batch } : {}),
    ...(differsOfBatch('batchingMinSize') ? { batchingMinSize } : {}),
    ...(differsOfBatch('batchingMaxWaitTimeMinutes') ? { batchingMaxWaitTimeMinutes } : {}),
  }
  const isSame = Object.keys(body).length === 0
  return {
    name: 'settings',
    label: 'Settings…',
    about: 'Mode, slots and batches.',
    button: 'Change the settings',
    act: isSame ? null : { operation: 'updateQueue', body },
    consequences: isSame ? ['Nothing is changed yet.'] : sentencesOf(body, before),
  }
}

function sentencesOf(changed: QueueSettings, before: Settings): string[] {
  const { mode, concurrency, batch, batchingMinSize: size } = changed
  const { batchingMaxWaitTimeMinutes: minutes } = changed
  const sentences = [
    mode !== undefined &&
      `The mode becomes ${mode}. The line empties first; meanwhile nothing new starts.`,
    concurrency !== undefined &&
      (concurrency < before.concurrency
        ? `At most ${concurrency} run at once instead of ${before.concurrency}. Runs under way go on.`
        : `Up to ${concurrency} run at once instead of ${before.concurrency}.`),
    batch === false && 'Each pull request is tested by itself. Batches under way go on.',
    size !== undefined && `Batches have up to ${size} pull requests.`,
    minutes !== undefined && `A batch waits at most ${minutes} minutes until it is full.`,
  ]
  return sentences.flatMap((each) => (each === false ? [] : each))
}
