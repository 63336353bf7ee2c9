/** A progress bar for work other than campaigns. It is shown only on a terminal. */

import type { Writable } from 'node:stream'
import cliProgress from 'cli-progress'
import { isTerminalStream, rawOf } from '../../terminal/output.ts'
import { oneLine } from '../../terminal/visible.ts'

export type WorkBar = {
  /** Sets the amount of finished work; `note` is shown next to it. */
  update(done: number, note: string): void
  stop(): void
}

const silent: WorkBar = { update: () => undefined, stop: () => undefined }

/** Creates a bar for `total` pieces of work, which are called `unit`. */
export function workBar(to: Writable, name: string, total: number, unit: string): WorkBar {
  if (!isTerminalStream(to)) return silent
  const format = `${oneLine(name)}  {bar}  {value} of {total} ${unit}  {note}`
  const bar = new cliProgress.SingleBar({
    stream: rawOf(to),
    format,
    hideCursor: true,
    clearOnComplete: true,
  })
  bar.start(total, 0, { note: '' })
  return {
    update: (done, note) => bar.update(done, { note: oneLine(note) }),
    stop: () => bar.stop(),
  }
}
