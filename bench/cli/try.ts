/** `mergeyard try`: merges the pull requests of a scenario in a throw-away repository, with real git. */

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PullRequestState } from '../../engine/index.ts'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { loadScenario } from '../../sim/scenario/load.ts'
import { judgeOutcome } from '../../sim/judge/measurement.ts'
import type { Expectation } from '../../sim/result/result-document.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import {
  commandOf,
  withPlainErrors,
  type CliContext,
  exitCodes,
  startFolder,
} from '../../server/terminal/command.ts'
import { badUsage, type OptionTable, type Usage } from '../../server/terminal/options.ts'
import { oneOf } from '../../server/terminal/readers.ts'
import { inScratch } from '../../server/terminal/files.ts'
import { writeText } from '../../server/terminal/output.ts'
import { untilAborted } from '../../server/terminal/signals.ts'
import { listed, several, shellWord } from '../../server/terminal/text.ts'
import {
  type Rehearsal,
  notPlayable,
  openRehearsal,
  queueOf,
  resume,
  submitAll,
  untilOver,
  brokenCommits,
  landedIn,
  leftBehind,
} from '../rehearsal/play.ts'
import { isRepository, tokenVariableOf } from '../../server/cli/code-hosts.ts'
import { Story } from '../../server/cli/story.ts'
import { readReports } from './junit-reports.ts'

/** `00:07`: minutes and seconds. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}

const methods = ['merge_commit', 'squash', 'rebase'] as const

const table = {
  keep: 'keep the folder with the repository, the log and the test output',
  'github <owner/scratch>': `in a repository on GitHub instead, with the token in ${tokenVariableOf('github')}; --keep keeps its branches`,
  'merge-method <value>': {
    value: methods.join('|'),
    help: 'with --github: how they land',
    default: methods[0],
  },
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'try',
  about: `Make a throw-away repository with the pull requests of a scenario, and merge them with real git and
real test processes. The scenario may have no times, no generated traffic and no events. With --github
four pull requests of its own merge in a scratch repository, for a new branch, tested by a workflow.`,
  operands: ['[scenario.json]'],
  table,
  more: 'Exit codes: 0 it went as the scenario expects, 1 it did not, 2 invalid input.\n',
}

const ownScenario = fileURLToPath(new URL('../../../scenarios/try.json', import.meta.url))
const mostMs = 10 * 60_000
/** Long enough that a person can watch. */
const testMs = 400

export const main = withPlainErrors(
  commandOf(usage, async (parsed, context) => {
    const repo = parsed.text('github')
    const [operand] = parsed.operands
    if (repo !== null) {
      if (operand !== undefined)
        throw badUsage(usage.command, `--github and ${operand}`, 'only one of them')
      if (!isRepository(repo)) throw parsed.fault('github', 'owner/name')
      const mergeMethod = parsed.read('merge-method', oneOf(methods))
      const { tryOnGitHub } = await import('./try-on-github.ts')
      const story = new Story()
      return tryOnGitHub({ repo, mergeMethod, isKept: parsed.flag('keep') }, context, {
        linesOf: (events, ms) => story.linesOf(events, clock(ms)),
      })
    }
    if (parsed.isGiven('merge-method')) throw parsed.fault('merge-method', '--github as well')
    const path = operand === undefined ? ownScenario : resolve(startFolder(context.env), operand)
    const scenario = loadScenario(path, operand ?? 'try.json')
    const faults = notPlayable(scenario)
    if (faults.length > 0) throw new BadInput(operand ?? 'try.json', faults)
    const isKept = parsed.flag('keep')
    return inScratch('try', (folder) => play(scenario, folder, { context, isKept }), isKept)
  }),
)

type Play = { readonly context: CliContext; readonly isKept: boolean }

async function play(
  scenario: Scenario,
  folder: string,
  { context: { stdout, signal }, isKept }: Play,
): Promise<number> {
  const entries = scenario.pullRequests ?? []
  const story = new Story()
  let begun = 0
  const rehearsal = await openRehearsal(folder, scenario, {
    readReports,
    testMs,
    onEvents: (events) => {
      if (begun === 0) return
      void writeText(stdout, story.linesOf(events, clock(performance.now() - begun)))
    },
  })
  try {
    const { concurrency, batch, batchingMinSize } = queueOf(rehearsal).configuration
    const batches = batch ? `batches of ${batchingMinSize}` : 'no batches'
    await writeText(
      stdout,
      `${several(entries.length, 'pull request')}, ${several(concurrency, 'slot')}, ${batches}, real git and real tests in ${folder}\n\n`,
    )
    await submitAll(rehearsal, entries)
    begun = performance.now()
    resume(rehearsal)
    await Promise.race([untilOver(rehearsal, entries.length, mostMs), untilAborted(signal)])
    signal.throwIfAborted()
  } finally {
    await rehearsal.server.stop()
  }
  const judgement = await judgementOf(scenario, rehearsal)
  await writeText(stdout, summaryText(judgement, { rehearsal, isKept }))
  return judgement.faults.length === 0 ? exitCodes.success : exitCodes.failure
}

// Compares what git holds with what the scenario expects.

type Judgement = {
  readonly merged: readonly number[]
  readonly failed: readonly number[]
  /** The commits on the target branch after the first one. */
  readonly commits: number
  readonly faults: readonly string[]
}

async function judgementOf(scenario: Scenario, rehearsal: Rehearsal): Promise<Judgement> {
  const { folder, repository } = rehearsal
  const [begin, ...landed] = await landedIn(repository)
  const merged = numbersIn(rehearsal, 'MERGED')
  const failed = numbersIn(rehearsal, 'FAILED')
  const onBranch = landed.flatMap(({ numbers }) => numbers)
  const commits = [begin ?? [], landed].flat().map(({ commit }) => commit)
  const broken = await brokenCommits(folder, repository, commits)
  const left = await leftBehind(repository)
  const { expect = {} } = scenario
  const judged = [
    judgeOutcome('merged', expect.merged, merged),
    judgeOutcome('failed', expect.failed, failed),
  ]
  const faults = [
    ...judged.map((each) => (each ? missedText(each) : null)),
    sameSet(onBranch, merged) ? null : `the branch holds ${listed(onBranch)}`,
    broken.length === 0 ? null : `the tests fail on ${broken.join(', ')}`,
    left.length === 0 ? null : `refs were left behind: ${left.join(', ')}`,
  ].filter((fault) => fault !== null)
  return { merged, failed, commits: landed.length, faults }
}

/** Takes the repository, its branch and its tests from the clone in which it is typed. */
export const serveCommand = 'mergeyard serve'

type Shown = { readonly rehearsal: Rehearsal; readonly isKept: boolean }

function summaryText(
  { merged, failed, commits, faults }: Judgement,
  { rehearsal, isKept }: Shown,
): string {
  const { pullRequests } = queueOf(rehearsal)
  const why = failed.map((number) => {
    const conflict = pullRequests[number]?.reason === 'START_TEST_RUN_MERGE_CONFLICT'
    return `#${number} ${conflict ? 'with a text conflict' : 'with failing tests'}`
  })
  const lines = [
    '',
    `merged ${merged.length}, failed ${failed.length}${why.length > 0 ? `: ${why.join(', ')}` : ''}`,
    ...faults.map((fault) => `NOT AS EXPECTED  ${fault}`),
    ...(faults.length === 0
      ? [`main passes its tests at each of its ${several(commits + 1, 'commit')}, as expected`]
      : []),
    ...(isKept
      ? [`kept: git --git-dir ${shellWord(rehearsal.repository)} log --oneline --first-parent main`]
      : []),
    '',
    'next  mergeyard sim scenarios/try.json  the same pull requests, simulated',
    `      ${serveCommand}                   in your clone: its pull requests, tested and merged`,
    '',
  ]
  return lines.join('\n')
}

function numbersIn(rehearsal: Rehearsal, state: PullRequestState): number[] {
  const all = Object.values(queueOf(rehearsal).pullRequests)
  return all.filter((each) => each.state === state).map(({ number }) => number)
}

const missedText = ({ name, expected, actual, holds }: Expectation): string | null =>
  holds ? null : `${name}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`

function sameSet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number) => b.includes(number))
}
