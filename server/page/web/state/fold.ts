/** The state of the page: what all frames so far say together. */

import type {
  Frame,
  Line,
  QueueHead,
  Row,
  RunRow,
  Waiting,
  BisectionStep,
  BisectionTree,
} from '../../frame.ts'

export type PageState = {
  readonly sequence: number
  readonly queue: QueueHead
  /** By number: who is in the queue, and who left lately, in the order in which they left. */
  readonly rows: ReadonlyMap<number, Row>
  readonly line: Line
  readonly waiting: Waiting
}

/**
 * Returns the state after the frame. A change without a whole before it cannot be understood: then the
 * state stays null, and the page must ask for a whole.
 */
export function fold(state: PageState | null, frame: Frame): PageState | null {
  const before = frame.kind === 'whole' ? null : state
  if (frame.kind === 'change' && !before) return null
  const { sequence, queue, line, waiting } = { ...before, ...frame }
  if (!queue || !line || !waiting) return null
  return { sequence, queue, line, waiting, rows: changed(before?.rows, frame) }
}

function changed(before: PageState['rows'] | undefined, { gone, rows }: Frame): PageState['rows'] {
  const after = new Map(before)
  for (const number of gone) after.delete(number)
  for (const row of rows) {
    if (hasLeft(row) && !hasLeft(after.get(row.number))) after.delete(row.number)
    after.set(row.number, row)
  }
  return after
}

const terminal: ReadonlySet<Row['state'] | undefined> = new Set(['MERGED', 'FAILED', 'CANCELLED'])

export const hasLeft = (row: Pick<Row, 'state'> | undefined): boolean => terminal.has(row?.state)

/** The row of one that is in the queue. */
export function inQueue({ rows }: Pick<PageState, 'rows'>, number: number): Row | undefined {
  const row = rows.get(number)
  return hasLeft(row) ? undefined : row
}

/** Who left lately, newest first. */
export const leftLately = ({ rows }: Pick<PageState, 'rows'>): Row[] =>
  [...rows.values()].filter(hasLeft).reverse()

// The figures at the top of the page. They are counted from the frames, so they agree with the lists.

/**
 * All rows are sent except for most of those that wait, so only those come with a total. It includes those
 * that are not ready, who come last: in a long queue those that are not listed count as waiting. A group
 * of the line can wait as well.
 */
export function figuresOf({ rows, line, waiting }: PageState) {
  const all = [...rows.values()]
  const count = (wanted: Row['state']): number => all.filter(({ state }) => state === wanted).length
  const ordered = new Set(waiting.order)
  const inLine = all.filter(({ number, state }) => state === 'PENDING' && !ordered.has(number))
  return {
    testing: count('TESTING'),
    passed: count('TESTS_PASSED'),
    held: count('PENDING_FAILURE'),
    waiting: waiting.total - count('NOT_READY') + inLine.length,
    notReady: count('NOT_READY'),
    bisections: line.bisections.length,
  }
}

/** Bisections have slots of their own. */
export function runsOfBisections({ line }: Pick<PageState, 'line'>): number {
  return line.bisections.flatMap(({ steps }) => steps).filter(({ run }) => run.outcome === null)
    .length
}

/** All rows in the order in which the page shows them: the line, bisections, those that wait, those that left. */
export function rowsInOrder({ rows, line, waiting }: PageState): Row[] {
  const order = new Set([
    ...line.groups.flatMap(({ members }) => members),
    ...line.bisections.flatMap(({ members }) => members),
    ...waiting.order,
    ...[...rows.keys()].reverse(),
  ])
  return [...order].flatMap((number) => rows.get(number) ?? [])
}

// The place of each pull request: in what order they merge if all goes well.

/** Those in a bisection and those that are not ready have no place. */
export function placesOf({ line, waiting, rows }: PageState): ReadonlyMap<number, number> {
  const order = [...line.groups.flatMap(({ members }) => members), ...waiting.order]
  const placed = order.filter((number) => {
    const { isBisected, state } = rows.get(number) ?? {}
    return isBisected !== true && state !== 'NOT_READY'
  })
  return new Map(placed.map((number, index) => [number, index + 1]))
}

/** "1st", "22nd", "113th"; an empty text for none. */
export function ordinal(place: number | undefined): string {
  if (place === undefined) return ''
  const isTeen = Math.floor(place / 10) % 10 === 1
  const ending = isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[place % 10] ?? 'th')
  return `${place.toLocaleString('en-GB')}${ending}`
}

// A bisection as a tree: each tested set stands below the smallest set that failed before it and
// contains it. So a reader sees how the search becomes narrower.

export type SearchNode = {
  readonly tested: readonly number[]
  /** Null for the batch that failed. */
  readonly step: BisectionStep | null
  readonly children: SearchNode[]
}

export function searchTree({ members, steps }: BisectionTree): SearchNode {
  const root: SearchNode = { tested: members, step: null, children: [] }
  for (const step of steps) {
    parentOf(root, step).children.push({ tested: step.tested, step, children: [] })
  }
  return root
}

function parentOf(node: SearchNode, step: BisectionStep): SearchNode {
  const narrower = node.children.find(
    ({ tested, step: earlier }) =>
      earlier && hasFailed(earlier.run) && step.tested.every((each) => tested.includes(each)),
  )
  return narrower ? parentOf(narrower, step) : node
}

const hasFailed = ({ outcome }: RunRow): boolean => outcome === 'failed' || outcome === 'timed_out'

/** The members about which nothing is decided yet. */
export function openMembers({ members, proven, culprits }: BisectionTree): number[] {
  return members.filter((each) => !proven.includes(each) && !culprits.includes(each))
}
