/** Runs commands in the process of a test, and keeps what they print. */

import { PassThrough } from 'node:stream'
import type { CliContext } from '../command.ts'

/** What a command has printed so far, and its exit code at the end. */
export type Output = { readonly code: number; readonly out: string; readonly err: string }

export type Surroundings = Partial<Pick<CliContext, 'env' | 'signal'>> & {
  /** The columns of the terminal that reads standard output; without it nothing does. */
  readonly width?: number
  /** Its rows. */
  readonly height?: number
  /** Says of a stream that it is a terminal. */
  readonly isTerminal?: 'stdout' | 'stderr'
  /** Is called with each piece that comes, and with all that came before. `interrupt` is Ctrl-C. */
  readonly onPrinted?: (piece: string, all: Omit<Output, 'code'>, interrupt: () => void) => void
}

/** Runs a command to its end. */
export async function captured(
  run: (context: CliContext) => Promise<number>,
  { env = {}, signal, width, height, isTerminal, onPrinted }: Surroundings = {},
): Promise<Output> {
  const interruption = new AbortController()
  const all = { out: '', err: '' }
  const streamTo = (name: 'out' | 'err'): PassThrough =>
    new PassThrough().setEncoding('utf8').on('data', (piece: string) => {
      all[name] += piece
      onPrinted?.(piece, all, () => interruption.abort())
    })
  const context = {
    stdout: Object.assign(streamTo('out'), { columns: width, rows: height }),
    stderr: streamTo('err'),
    signal: signal ?? interruption.signal,
    env,
  }
  if (isTerminal) Object.assign(context[isTerminal], { isTTY: true, cursorTo: () => true })
  const code = await run(context)
  // What is still in the streams is read in the turns before their end.
  await Promise.all([context.stdout, context.stderr].map((stream) => ended(stream.end())))
  return { code, ...all }
}

const ended = (stream: PassThrough): Promise<unknown> =>
  new Promise((resolve) => {
    stream.once('end', resolve)
  })
