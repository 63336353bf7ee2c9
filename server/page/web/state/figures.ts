/** The figures at the top of the page. They are counted from the frames, so they agree with the lists. */

import type { Estimate, Row } from '../../frame.ts'
import type { PageState } from './fold.ts'

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
