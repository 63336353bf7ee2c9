/** `mergeyard queue`: shows the line of a queue, live in a terminal. */

import { setTimeout as wait } from 'node:timers/promises'
import type * as wire from '../../../server/contract/wire.ts'
import { commandOf } from '../../../sim/terminal/command.ts'
import { BadLines } from '../../../sim/scenario/bad-input.ts'
import { exitCodes } from '../../../sim/terminal/context.ts'
import type { OptionTable, Usage } from '../../../sim/terminal/option-table.ts'
import { isTerminalStream, writeAll } from '../../../sim/terminal/output.ts'
import type { ParsedOptions } from '../../../sim/terminal/parse-options.ts'
import { own } from '../../../sim/terminal/visible.ts'
import { jsonOption } from '../admin/data-folder.ts'
import { remoteTable } from '../remote/options.ts'
import { Refused, refOnWire, RemoteServer } from '../remote/server.ts'
import { lineText, type Line } from './line-text.ts'

const table = {
  once: { kind: 'flag', help: 'print the line once, also in a terminal' },
  ...jsonOption,
  ...remoteTable,
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'queue',
  npm: 'npm run mergeyard -- queue',
  about:
    'Show the line of a queue: live in a terminal until Ctrl-C, also while the server starts again; once when piped.',
  table,
  more: 'Exit codes: 0 shown, 2 no such server or queue.\n',
}

const everyMs = 1_000
/** After this time without an answer the server is lost. */
const longestAnswerMs = 10_000
const endedShown = 10
/** Moves the cursor home and clears what is below. */
const home = own('[H') + own('[J')

export const main = commandOf(usage, async (parsed, { stdout, env, signal }) => {
  const isLive = isTerminalStream(stdout) && !parsed.flag('once') && !parsed.flag('json')
  let text = ''
  for (;;) {
    const shown = await shownOf(parsed, env, signal).catch((error: unknown) => {
      // A server that never answered may be none; one that did may only be starting again.
      if (signal.aborted || (text !== '' && isLost(error))) return null
      throw error
    })
    text = shown ?? text
    const lost = shown === null && !signal.aborted ? '\nlost the server, trying again\n' : ''
    await writeAll(stdout, [isLive ? `${home}${text}${lost}` : text])
    if (!isLive || signal.aborted) return exitCodes.success
    await wait(everyMs, undefined, { signal }).catch(() => undefined)
  }
})

/** What is shown now. The server is looked up each time: one that starts again has another port and token. */
async function shownOf(
  parsed: ParsedOptions<typeof table>,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const server = RemoteServer.of('queue', parsed, env).until(
    AbortSignal.any([signal, AbortSignal.timeout(longestAnswerMs)]),
  )
  const line = await lineOf(server, refOnWire(server.queue(parsed)))
  return parsed.flag('json') ? `${JSON.stringify(line)}\n` : lineText(line, Date.now())
}

/** False for an answer that another try does not change: no such queue, a token that is not known. */
function isLost(error: unknown): boolean {
  if (error instanceof Refused) return error.status >= 500 || error.status === 429
  return error instanceof BadLines
}

async function lineOf(server: RemoteServer, ref: wire.QueueRef): Promise<Line> {
  const [queue, { testRuns }, page, faults] = await Promise.all([
    server.call<wire.Queue>('getQueue', ref),
    server.call<wire.TestRuns>('getMergeQueueTestingDetails', ref),
    server.call<wire.PullRequestPage>('listPullRequests', { ...ref, take: endedShown }),
    faultsOf(server, ref),
  ])
  const queued = new Set(queue.enqueuedPullRequests.map(({ prNumber }) => prNumber))
  const ended = page.pullRequests.filter(({ prNumber }) => !queued.has(prNumber))
  return { ref, queue, runs: testRuns, ended, faults }
}

/** None for a queue without a repository. */
async function faultsOf(server: RemoteServer, ref: wire.QueueRef): Promise<readonly string[]> {
  try {
    const { faults } = await server.call<wire.RepositoryStatus>('getRepositoryStatus', ref)
    return faults
  } catch (error) {
    if (error instanceof Refused && error.status === 409) return []
    throw error
  }
}
