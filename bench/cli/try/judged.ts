/** Compares what git holds with what the scenario expects. */

import type { PullRequestState } from '../../../engine/index.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { several } from '../../../sim/terminal/text.ts'
import { queueOf, type Stage } from '../../stage/play.ts'
import { brokenCommits, landedIn, leftBehind } from '../../stage/proof.ts'
import { listed } from './told.ts'

export type Judgement = {
  readonly merged: readonly number[]
  readonly failed: readonly number[]
  /** The commits on the target branch after the first one. */
  readonly commits: number
  readonly faults: readonly string[]
}

export async function judged(scenario: Scenario, stage: Stage): Promise<Judgement> {
  const { folder, repository } = stage
  const [begin, ...landed] = await landedIn(repository)
  const merged = numbersIn(stage, 'MERGED')
  const failed = numbersIn(stage, 'FAILED')
  const onBranch = landed.flatMap(({ numbers }) => numbers)
  const commits = [begin ?? [], landed].flat().map(({ commit }) => commit)
  const broken = await brokenCommits(folder, repository, commits)
  const left = await leftBehind(repository)
  const { expect = {} } = scenario
  const faults = [
    differs('merged', expect.merged, merged),
    differs('failed', expect.failed, failed),
    sameSet(onBranch, merged) ? null : `the branch holds ${listed(onBranch)}`,
    broken.length === 0 ? null : `the tests fail on ${broken.join(', ')}`,
    left.length === 0 ? null : `refs were left behind: ${left.join(', ')}`,
  ].filter((fault) => fault !== null)
  return { merged, failed, commits: landed.length, faults }
}

/** As it can be typed in a clone that has `main` checked out, to which nobody can push. */
export const serveCommand = 'mergeyard serve --repo origin --test "npm test"'

type Shown = { readonly stage: Stage; readonly isKept: boolean }

export function summaryText(
  { merged, failed, commits, faults }: Judgement,
  { stage, isKept }: Shown,
): string {
  const { pullRequests } = queueOf(stage)
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
      ? [`kept: git --git-dir ${stage.repository} log --oneline --first-parent main`]
      : []),
    '',
    'next  mergeyard sim scenarios/try.json                 the same pull requests, simulated',
    `      ${serveCommand}  in your clone: the branches of its origin below queue/`,
    '',
  ]
  return lines.join('\n')
}

function numbersIn(stage: Stage, state: PullRequestState): number[] {
  const all = Object.values(queueOf(stage).pullRequests)
  return all.filter((each) => each.state === state).map(({ number }) => number)
}

type Expected = NonNullable<Scenario['expect']>['merged']

function differs(what: string, expected: Expected, actual: readonly number[]): string | null {
  if (expected === undefined) return null
  if (isList(expected)) {
    return sameSet(expected, actual)
      ? null
      : `${what} ${listed(actual)}, expected ${listed(expected)}`
  }
  const [least, most] =
    typeof expected === 'number'
      ? [expected, expected]
      : [expected.min ?? 0, expected.max ?? Infinity]
  return actual.length >= least && actual.length <= most ? null : `${what} ${actual.length}`
}

function isList(expected: NonNullable<Expected>): expected is readonly number[] {
  return Array.isArray(expected)
}

function sameSet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number) => b.includes(number))
}
