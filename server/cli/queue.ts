/** `mergeyard queue`: shows the line of a queue, live in a terminal. */

import { setTimeout as wait } from 'node:timers/promises'
import type * as wire from '../contract/wire.ts'
import { readTestRunId } from '../identity/ids.ts'
import { nameOfQueue, queueRefOf } from '../identity/queue-ref.ts'
import { BadLines } from '../terminal/bad-input.ts'
import { type CliContext, commandOf, exitCodes } from '../terminal/command.ts'
import type { OptionTable, ParsedOptions, Usage } from '../terminal/options.ts'
import { heightOf, isTerminalStream, widthOf, writeAll } from '../terminal/output.ts'
import { signalOrAfter } from '../terminal/signals.ts'
import { count, duration, fitted, joinedLines, several, oneLine, own } from '../terminal/text.ts'
import { jsonOption } from './place.ts'
import { queueIn, Refused, type RemoteServer, remoteTable, stateWord } from './remote-server.ts'

const table = {
  once: 'print the line once, also in a terminal',
  ...jsonOption,
  ...remoteTable,
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'queue',
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
    const shown = await shownOf(parsed, { env, signal, width: widthOf(stdout) }).catch(
      (error: unknown) => {
        // A server that never answered may be none; one that did may only be starting again.
        if (signal.aborted || (text !== '' && isLost(error))) return null
        throw error
      },
    )
    text = shown ?? text
    const lost = shown === null && !signal.aborted ? '\nlost the server, trying again\n' : ''
    await writeAll(stdout, [isLive ? `${home}${inTerminal(text, heightOf(stdout))}${lost}` : text])
    if (!isLive || signal.aborted) return exitCodes.success
    await wait(everyMs, undefined, { signal }).catch(() => undefined)
  }
})

/** Below what is shown the server may be lost, in two lines, and then comes the cursor. */
const linesKept = 3
/** The last lines are those that ended. */
const lastShown = 3
const fewestShown = 8

/** The beginning and the end of what a terminal has no room for: it would scroll by each second. */
function inTerminal(text: string, height: number | null): string {
  const lines = text.trimEnd().split('\n')
  const most = Math.max(fewestShown, (height ?? Infinity) - linesKept)
  if (lines.length <= most) return text
  const first = most - lastShown - 1
  const more = `and ${count(lines.length - first - lastShown)} more: mergeyard queue --once`
  return `${[...lines.slice(0, first), more, ...lines.slice(-lastShown)].join('\n')}\n`
}

/** What is shown now. The server is looked up each time: one that starts again has another port and token. */
async function shownOf(
  parsed: ParsedOptions<typeof table>,
  { env, signal, width }: Pick<CliContext, 'env' | 'signal'> & { readonly width: number | null },
): Promise<string> {
  const { server, queue } = queueIn('queue', parsed, env)
  server.until(signalOrAfter(signal, longestAnswerMs))
  const line = await lineOf(server, queue)
  return parsed.flag('json') ? `${JSON.stringify(line)}\n` : lineText(line, Date.now(), width)
}

/** False for an answer that another try does not change: no such queue, a token that is not known. */
function isLost(error: unknown): boolean {
  if (error instanceof Refused) return error.status >= 500 || error.status === 429
  return error instanceof BadLines
}

async function lineOf(server: RemoteServer, ref: wire.QueueRef): Promise<Line> {
  const [queue, details, page, faults] = await Promise.all([
    server.call('getQueue', ref),
    server.call('getMergeQueueTestingDetails', ref),
    server.call('listPullRequests', { ...ref, take: endedShown }),
    faultsOf(server, ref),
  ])
  const queued = new Set(queue.enqueuedPullRequests.map(({ prNumber }) => prNumber))
  const ended = page.pullRequests.filter(({ prNumber }) => !queued.has(prNumber))
  const runs = 'testRuns' in details ? details.testRuns : []
  return { ref, queue, runs, ended, faults }
}

/** None for a queue without a repository. */
async function faultsOf(server: RemoteServer, ref: wire.QueueRef): Promise<readonly string[]> {
  try {
    const { faults } = await server.call('getRepositoryStatus', ref)
    return faults
  } catch (error) {
    if (error instanceof Refused && error.status === 409) return []
    throw error
  }
}

// The line of a queue as text.

type Line = {
  readonly ref: wire.QueueRef
  readonly queue: wire.Queue
  readonly runs: readonly wire.TestRun[]
  /** Those that left the queue last, newest first. */
  readonly ended: readonly wire.EnqueuedPullRequest[]
  /** What keeps the queue from its work. */
  readonly faults: readonly string[]
}

const msPerMinute = 60_000
/** What readers look for. */
const loud = new Set(['merged', 'failed'])

function lineText(
  { ref, queue, runs, ended, faults }: Line,
  now: number,
  width: number | null,
): string {
  const { state, enqueuedPullRequests: queued } = queue
  const running = several(runs.length, 'test run')
  const name = oneLine(nameOfQueue(queueRefOf(ref)))
  const head = `${name}  ${state}, ${several(queued.length, 'pull request')}, ${running}\n`
  const rows = [...queued, ...ended].map((each) => rowOf(each, runs, now))
  const line = rows.length === 0 ? 'nobody is in the queue\n' : fitted(rows, titleColumn, width)
  return [
    head,
    ...faults.map((fault) => `FAULT  ${oneLine(joinedLines(fault))}\n`),
    '\n',
    line,
  ].join('')
}

/** The title gives way in a narrow terminal. */
const titleColumn = 3

function rowOf(
  { prNumber, prTitle, state, stateChangedAt }: wire.EnqueuedPullRequest,
  runs: readonly wire.TestRun[],
  now: number,
): string[] {
  const run = runs.find(({ testedPullRequests }) =>
    testedPullRequests.some((tested) => tested.prNumber === prNumber),
  )
  const minutes = Math.max(0, (now - Date.parse(stateChangedAt)) / msPerMinute)
  const tests = run ? `${run.isBisection ? 'bisection run' : 'run'} ${runName(run)}` : ''
  const word = stateWord(state)
  const shown = loud.has(word) ? word.toUpperCase() : word
  return [`#${prNumber}`, shown, duration(minutes), prTitle, tests]
}

/** Its number: `mergeyard log run 15` finds a run by it. */
function runName({ testRunId }: wire.TestRun): string {
  return String(readTestRunId(testRunId)?.run ?? testRunId)
}
