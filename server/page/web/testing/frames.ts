/** Frames and their parts for tests, each with the fields that matter given. */

import type {
  QueueGlance,
  BisectionStep,
  Frame,
  GroupRow,
  QueueHead,
  Row,
  RunRow,
} from '../../frame.ts'

export type WholeFrame = Frame & Required<Pick<Frame, 'queue' | 'line' | 'waiting'>>

const at = '2026-03-18T09:00:00.000Z'

export function aHead(fields: Partial<QueueHead> = {}): QueueHead {
  return {
    id: 'acme-shop-main',
    host: 'github.com',
    owner: 'acme',
    name: 'shop',
    targetBranch: 'main',
    state: 'RUNNING',
    stateSince: null,
    stateBy: null,
    mode: 'single',
    batching: { size: 4, waitMinutes: 5 },
    concurrency: 5,
    slotsUsed: 0,
    faults: [],
    waysIn: [],
    next: null,
    ...fields,
  }
}

export function aGlance(fields: Partial<QueueGlance> = {}): QueueGlance {
  return { ...aHead(), inLine: 0, waits: 0, lastFailure: null, ...fields }
}

export function aRow(number: number, fields: Partial<Row> = {}): Row {
  return {
    number,
    state: 'PENDING',
    since: at,
    submittedAt: at,
    urgent: false,
    why: 'It waits for a free slot.',
    estimate: null,
    ...fields,
  }
}

function aRun(id: string, outcome: RunRow['outcome'] = null): RunRow {
  return { id, startedAt: at, expectedMinutes: 16, outcome }
}

export function aGroup(
  id: number,
  members: readonly number[],
  fields: Partial<GroupRow> = {},
): GroupRow {
  const run = aRun(`run-${id}`)
  return { id, members, phase: 'testing', urgent: false, run, dependsOn: [], ...fields }
}

export function aStep(tested: readonly number[], outcome: RunRow['outcome']): BisectionStep {
  return { tested, base: [], run: aRun(`run-of-${tested.join('-')}`, outcome) }
}

export function anEnd(number: number, fields: Partial<Row> = {}): Row {
  return aRow(number, { state: 'MERGED', why: 'Its run passed.', ...fields })
}

export function aChange(fields: Partial<Frame>): Frame {
  return { kind: 'change', sequence: 6, now: at, rows: [], gone: [], ...fields }
}

export function aWhole(fields: Partial<WholeFrame> = {}): WholeFrame {
  return {
    kind: 'whole',
    sequence: 1,
    now: at,
    queue: aHead(),
    rows: [],
    gone: [],
    line: { groups: [], bisections: [] },
    waiting: { order: [], total: 0 },
    ...fields,
  }
}
