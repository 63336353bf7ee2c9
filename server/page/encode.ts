/** Frames as text for the stream, made of the parts of pictures, which are JSON already. */

import type { EndedRow } from './frame.ts'
import type { Picture } from './picture.ts'

export type FrameAt = { readonly sequence: number; readonly now: string }

export function wholeText(
  { queue, line, waiting, rows }: Picture,
  ended: readonly EndedRow[],
  at: FrameAt,
): string {
  const head = `"kind":"whole","sequence":${at.sequence},"now":${JSON.stringify(at.now)}`
  const list = [...rows.values()].join(',')
  return `{${head},"queue":${queue},"rows":[${list}],"line":${line},"waiting":${waiting},"ended":${JSON.stringify(ended)}}`
}

/** Null if nothing that is shown has changed. */
export function changeText(
  before: Picture,
  after: Picture,
  { ended, ...at }: FrameAt & { readonly ended: readonly EndedRow[] },
): string | null {
  const parts = (['queue', 'line', 'waiting'] as const)
    .filter((name) => before[name] !== after[name])
    .map((name) => `"${name}":${after[name]}`)
  const rows = [...after.rows].filter(([number, row]) => before.rows.get(number) !== row)
  const gone = [...before.rows.keys()].filter((number) => !after.rows.has(number))
  if (parts.length + rows.length + gone.length + ended.length === 0) return null
  const fields = [
    `"kind":"change","sequence":${at.sequence},"now":${JSON.stringify(at.now)}`,
    ...parts,
    `"rows":[${rows.map(([, row]) => row).join(',')}]`,
    `"gone":${JSON.stringify(gone)}`,
    `"ended":${JSON.stringify(ended)}`,
  ]
  return `{${fields.join(',')}}`
}

export function eventText(id: string, frame: string): string {
  return `event: frame\nid: ${id}\ndata: ${frame}\n\n`
}
