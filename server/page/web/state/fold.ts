/** The state of the page: what all frames so far say together. */

import type {
  ChangeFrame,
  EndedRow,
  Frame,
  Line,
  QueueHead,
  Row,
  Waiting,
  Estimate,
  BisectionStep,
  BisectionTree,
} from '../../frame.ts'

export type PageState = {
  readonly sequence: number
  readonly queue: QueueHead
  readonly rows: ReadonlyMap<number, Row>
  readonly line: Line
  readonly waiting: Waiting
  /** Newest first. */
  readonly ended: readonly EndedRow[]
}

/** So that a page which is open for weeks does not grow. */
const mostEnded = 100

/**
 * Returns the state after the frame. A change without a whole before it cannot be understood: then the
 * state stays null, and the page must ask for a whole.
 */
export function fold(state: PageState | null, frame: Frame): PageState | null {
  if (frame.kind === 'whole') {
    const { sequence, queue, line, waiting } = frame
    const ended = frame.ended.slice(0, mostEnded)
    return { sequence, queue, rows: byNumber(frame.rows), line, waiting, ended }
  }
  return state && changed(state, frame)
}

function changed(state: PageState, frame: ChangeFrame): PageState {
  const rows = changedRows(state.rows, frame)
  return {
    sequence: frame.sequence,
    queue: frame.queue ?? state.queue,
    rows,
    line: frame.line ?? state.line,
    waiting: frame.waiting ?? state.waiting,
    ended: withEnded(state.ended, frame.ended, rows),
  }
}

function byNumber(rows: readonly Row[]): ReadonlyMap<number, Row> {
  return new Map(rows.map((row) => [row.number, row]))
}

function changedRows(
  rows: ReadonlyMap<number, Row>,
  { rows: changes, gone }: ChangeFrame,
): ReadonlyMap<number, Row> {
  if (changes.length === 0 && gone.length === 0) return rows
  const result = new Map(rows)
  for (const number of gone) result.delete(number)
  for (const row of changes) result.set(row.number, row)
  return result
}

/** Each pull request is listed with its last end, unless it is in the queue again. */
function withEnded(
  ended: readonly EndedRow[],
  added: readonly EndedRow[],
  rows: PageState['rows'],
): readonly EndedRow[] {
  const later = new Set(added.map(({ number }) => number))
  const still = ended.filter(({ number }) => !later.has(number) && !rows.has(number))
  if (added.length === 0 && still.length === ended.length) return ended
  return [...added, ...still].slice(0, mostEnded)
}

// The figures at the top of the page. They are counted from the frames, so they agree with the lists.

export type Figures = {
  readonly testing: number
  readonly passed: number
  readonly held: number
  readonly waiting: number
  readonly notReady: number
  readonly bisections: number
}

/**
 * All rows are sent except for most of those that wait, so only those come with a total. It includes those
 * that are not ready, who come last: in a long queue those that are not listed count as waiting. A group
 * of the line can wait as well.
 */
export function figuresOf({ rows, line, waiting }: PageState): Figures {
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

type Range = Extract<Estimate, { kind: 'range' }>

export type NextLanding =
  | { readonly kind: 'lands'; readonly number: number; readonly estimate: Range }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'none' }

/** The pull request that lands first by its estimate; or why nobody knows; none in an empty queue. */
export function nextLanding({ rows }: PageState): NextLanding {
  let first: { number: number; estimate: Range } | null = null
  let why: string | null = null
  for (const { number, estimate } of rows.values()) {
    if (estimate?.kind === 'unknown') why ??= estimate.why
    if (estimate?.kind !== 'range') continue
    if (first === null || estimate.median < first.estimate.median) first = { number, estimate }
  }
  if (first) return { kind: 'lands', ...first }
  if (rows.size === 0) return { kind: 'none' }
  return { kind: 'unknown', why: why ?? 'There is no estimate yet.' }
}

/** Bisections have slots of their own. */
export function runsOfBisections({ line }: Pick<PageState, 'line'>): number {
  return line.bisections.flatMap(({ steps }) => steps).filter(({ run }) => run.outcome === null)
    .length
}

/** The numbers that a bisection examines. */
export function bisected({ line }: Pick<PageState, 'line'>): ReadonlySet<number> {
  return new Set(
    line.bisections.flatMap(({ members, proven, culprits }) =>
      members.filter((each) => !proven.includes(each) && !culprits.includes(each)),
    ),
  )
}

/** All rows in the order in which the page shows them: bisections, the line, those that wait. */
export function rowsInOrder({ rows, line, waiting }: PageState): Row[] {
  const order = new Set([
    ...line.groups.flatMap(({ members }) => members),
    ...line.bisections.flatMap(({ members }) => members),
    ...waiting.order,
    ...rows.keys(),
  ])
  return [...order].flatMap((number) => rows.get(number) ?? [])
}

// The place of each pull request: in what order they merge if all goes well.

/** Those in a bisection and those that are not ready have no place. */
export function placesOf({ line, waiting, rows }: PageState): ReadonlyMap<number, number> {
  const searched = bisected({ line })
  const order = [...line.groups.flatMap(({ members }) => members), ...waiting.order]
  const placed = order.filter(
    (number) => !searched.has(number) && rows.get(number)?.state !== 'NOT_READY',
  )
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
  readonly children: readonly SearchNode[]
}

type Growing = { tested: readonly number[]; step: BisectionStep | null; children: Growing[] }

export function searchTree({ members, steps }: BisectionTree): SearchNode {
  const root: Growing = { tested: members, step: null, children: [] }
  for (const step of steps) {
    parentOf(root, step).children.push({ tested: step.tested, step, children: [] })
  }
  return root
}

function parentOf(node: Growing, step: BisectionStep): Growing {
  const narrower = node.children.find(
    ({ tested, step: earlier }) =>
      earlier?.run.outcome === 'failed' && step.tested.every((each) => tested.includes(each)),
  )
  return narrower ? parentOf(narrower, step) : node
}

/** The members about which nothing is decided yet. */
export function openMembers({ members, proven, culprits }: BisectionTree): number[] {
  return members.filter((each) => !proven.includes(each) && !culprits.includes(each))
}
