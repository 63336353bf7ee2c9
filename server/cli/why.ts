/** `mergeyard why`: why a pull request is where it is, what proves it, and what to do next. */

import type * as wire from '../contract/wire.ts'
import { badUsage, type Usage } from '../terminal/options.ts'
import { columns, cut, duration, listed, oneLine } from '../terminal/text.ts'
import { answering } from './place.ts'
import { queueIn, Refused, type RemoteServer, remoteTable, stateWord } from './remote-server.ts'
import { BadLines } from '../terminal/bad-input.ts'

const usage: Usage<typeof remoteTable> = {
  command: 'why',
  about: `Show why a pull request failed or waits: its tests that failed, the runs that prove it, the end of the
output, and what to do next.

  mergeyard why 7
  mergeyard why pay-twice`,
  operands: ['<branch or number>'],
  table: remoteTable,
  more: 'Exit codes: 0 shown, 2 it was never submitted.\n',
}

export const whyCommand = answering(usage, async (parsed, { env }) => {
  const [named = ''] = parsed.operands
  const { server, queue } = queueIn('why', parsed, env)
  const pull = await server.pullNamed(queue, named)
  const log = pull.state.toUpperCase() === 'MERGED' ? null : await logOf(server, queue, pull)
  return { document: pull, text: textOf(pull, log, Date.now()) }
})

/** Null if the server has no output of the run, for example because CI elsewhere has tested it. */
async function logOf(
  server: RemoteServer,
  queue: wire.QueueRef,
  { why }: wire.SubmittedPullRequest,
): Promise<string | null> {
  const testRunId = why?.logOf ?? null
  if (testRunId === null) return null
  try {
    return (await server.call('getTestRunLog', { ...queue, testRunId })).log
  } catch (error) {
    if (error instanceof Refused && [404, 409].includes(error.status)) return null
    throw error
  }
}

const mostTests = 10
const lastLines = 12
/** A test can print a line of any length. */
const longestLine = 400

function textOf(pull: wire.SubmittedPullRequest, log: string | null, now: number): string {
  const { prNumber, prTitle, state, stateChangedAt, evidence, why } = pull
  const minutes = Math.max(0, (now - Date.parse(stateChangedAt)) / 60_000)
  const title = prTitle === '' ? '' : `  ${oneLine(prTitle)}`
  const word = stateWord(state)
  const isOver = ['merged', 'failed', 'cancelled'].includes(word)
  const since = isOver ? `${duration(minutes)} ago` : `for ${duration(minutes)}`
  const runs = why?.runs ?? []
  const tests = evidence?.failedTests.map(({ name }) => name) ?? []
  const parts = [
    `#${prNumber}${title}: ${word} ${since}\n${oneLine(why?.sentence ?? '')}\n`,
    columns(stackRows(pull)),
    columns(tests.slice(0, mostTests).map((name) => ['failed test', name])) +
      (tests.length > mostTests ? `and ${tests.length - mostTests} more\n` : ''),
    columns(runs.map((run) => rowOf(run, prNumber))),
    log === null ? '' : endOf(log, runs[0]?.number ?? 0),
    columns(nextOf(pull, log !== null).map((row, index) => [index === 0 ? 'next' : '', ...row])),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** The stack as it stands: the top first. */
function stackRows({ prNumber, why }: wire.SubmittedPullRequest): string[][] {
  const rows = (why?.stack ?? []).map(({ number, state, dependsOn }) => [
    `#${number}`,
    state === null ? 'never submitted' : stateWord(state),
    dependsOn.length === 0 ? '' : `after ${listed(dependsOn)}`,
    number === prNumber ? 'this one' : '',
  ])
  return rows.toReversed().map((row, index) => [index === 0 ? 'stack' : '', ...row])
}

function rowOf(
  { number, outcome, tested, base, url = '' }: wire.RunInWhy,
  asked: number,
): string[] {
  const end = outcome === null ? 'goes on' : outcome.replace('_', ' ')
  const without = tested.includes(asked) ? '' : `without #${asked}: `
  const contents = tested.length === 0 ? 'the branch' : listed(tested)
  const below = base.length === 0 ? '' : ` on top of ${listed(base)}`
  return [`run ${number}`, end, `${without}${contents}${below}`, url]
}

function endOf(log: string, run: number): string {
  const lines = log.trimEnd().split('\n')
  const shown = lines.slice(-lastLines).map((line) => `  ${cut(oneLine(line), longestLine)}\n`)
  const what = lines.length > lastLines ? `the last ${lastLines} lines of run` : 'run'
  return `${what} ${run}:\n${shown.join('')}`
}

/** The commands that help in each state, with what they do. */
function nextOf(pull: wire.SubmittedPullRequest, hasLog: boolean): string[][] {
  const { prNumber, state, notReadyReasons = [], leftWith } = pull
  const log = hasLog ? [[`mergeyard log ${prNumber}`, 'the whole output']] : []
  const upper = state.toUpperCase()
  if (upper === 'CANCELLED' && leftWith !== undefined) {
    return [
      [`mergeyard why ${leftWith}`, 'why that one left'],
      [`mergeyard retry ${prNumber}`, `once #${leftWith} is in the queue again`],
    ]
  }
  if (upper === 'FAILED' || upper === 'CANCELLED') {
    const after = upper === 'FAILED' ? 'once it is mended' : 'to submit it again'
    return [...log, [`mergeyard retry ${prNumber}`, after]]
  }
  if (upper === 'MERGED') return []
  if (notReadyReasons.includes('queue_paused')) return [['mergeyard resume', 'the queue goes on']]
  if (notReadyReasons.includes('dependency_not_ready')) return nextBelow(pull)
  return [...log, ['mergeyard queue', 'the line, live']]
}

/** The lowest of those below it that have not landed is submitted first, or looked at. */
function nextBelow({ prNumber, why }: wire.SubmittedPullRequest): string[][] {
  const below =
    why?.stack?.slice(
      0,
      why.stack.findIndex(({ number }) => number === prNumber),
    ) ?? []
  const first = below.find(({ state }) => state?.toUpperCase() !== 'MERGED')
  if (!first) return [['mergeyard queue', 'the line, live']]
  const { number, state } = first
  const isQueued = state !== null && !['FAILED', 'CANCELLED'].includes(state.toUpperCase())
  return isQueued
    ? [[`mergeyard why ${number}`, 'why that one is not ready']]
    : [[`mergeyard submit ${number}`, 'it waits for that one']]
}

// `mergeyard log`: prints the output of a test run.

const logUsage: Usage<typeof remoteTable> = {
  command: 'log',
  about: `Print the output of a test run, as far as it is written: that of a run, or the one that tells most
about a pull request.

  mergeyard log 7
  mergeyard log pay-twice
  mergeyard log run 15`,
  operands: ['<branch, number or run...>'],
  table: remoteTable,
  more: 'Exit codes: 0 printed, 2 there is no such log.\n',
}

export const logCommand = answering(logUsage, async (parsed, { env }) => {
  const [named, ...more] = parsed.operands
  if (more.length > (named === 'run' ? 1 : 0)) {
    throw badUsage('log', `"${parsed.operands.join(' ')}"`, 'a branch, a number, or run 15')
  }
  const { server, queue } = queueIn('log', parsed, env)
  const testRunId = await runNamed(server, queue, parsed.operands.join(' '))
  const found = await server.call('getTestRunLog', { ...queue, testRunId })
  const { log, bytes } = found
  const missing = bytes - Buffer.byteLength(log)
  const left = missing > 0 ? `[the first ${missing} bytes are left out]\n` : ''
  return { document: found, text: `${left}${log}` }
})

const idPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A run by its number, as in `run 15`, or its id; else the run that tells most about a pull request. */
async function runNamed(
  server: RemoteServer,
  queue: wire.QueueRef,
  named: string,
): Promise<string> {
  const digits = /^run[ -]?#?([1-9]\d*)$/.exec(named)?.[1]
  if (digits !== undefined || idPattern.test(named)) return digits ?? named
  if (/^[\da-f]{8}-[\da-f-]*$/i.test(named)) {
    throw new BadLines([
      `log: ${named} is the beginning of every id of this queue: name the run by its number, as in run 15`,
    ])
  }
  const pull = await server.pullNamed(queue, named)
  const { sentence, logOf: run } = pull.why ?? { sentence: '', logOf: null }
  if (run !== null) return run
  throw new BadLines([`log: #${pull.prNumber} was not tested: ${sentence}`])
}
