/** The state of the page: what all frames so far say together. */

import type {
  ChangeFrame,
  EndedRow,
  Frame,
  Line,
  QueueHead,
  Row,
  Waiting,
} from '../../../../server/page/frame.ts'

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
  return {
    sequence: frame.sequence,
    queue: frame.queue ?? state.queue,
    rows: changedRows(state.rows, frame),
    line: frame.line ?? state.line,
    waiting: frame.waiting ?? state.waiting,
    ended: withEnded(state.ended, frame.ended),
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

/** An end that is told twice is listed once. */
function withEnded(ended: readonly EndedRow[], added: readonly EndedRow[]): readonly EndedRow[] {
  if (added.length === 0) return ended
  const keyOf = ({ number, at }: EndedRow): string => `${number} ${at}`
  const known = new Set(added.map(keyOf))
  return [...added, ...ended.filter((row) => !known.has(keyOf(row)))].slice(0, mostEnded)
}
