/** The state of the page: what all frames so far say together. */

import type { ChangeFrame, EndedRow, Frame, Line, QueueHead, Row, Waiting } from '../../frame.ts'

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
