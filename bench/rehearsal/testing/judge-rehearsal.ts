/** What must be true after a rehearsal: of the branch, of the log, and of what is left behind. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { git } from '../../../server/git/git.ts'
import { watchRecording, replayExactly } from '../../../sim/replay/check-recording.ts'
import { openRecording } from '../../../sim/replay/recording.ts'
import { testProcesses } from '../../cli/testing/program.ts'
import { landedIn, leftBehind } from '../play.ts'
import type { Rehearsal } from './rehearse.ts'

/** Returns every fault, in words; none if the real world went as the simulation did. */
export async function faultsIn(rehearsal: Rehearsal): Promise<string[]> {
  return [
    ...rehearsal.differences,
    ...(await faultsOnBranch(rehearsal)),
    ...faultsInLog(rehearsal),
    ...(await leftOver(rehearsal)),
  ]
}

/** The branch holds what merged, in order, and only trees that were tested, or that count as unproven. */
async function faultsOnBranch({ run, repository, data, queue }: Rehearsal): Promise<string[]> {
  const [, ...landed] = await landedIn(repository)
  const merged = run.steps.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'tipMoved' ? [event.number] : [])),
  )
  const onBranch = landed.flatMap(({ numbers }) => numbers)
  const order = isDeepStrictEqual(onBranch, merged)
    ? []
    : [`merged ${merged.join(' ')}, but the branch holds ${onBranch.join(' ')}`]
  const tested = [...queue.history.testRuns.values()].flatMap(({ outcome, commit }) =>
    outcome === 'passed' && commit !== undefined ? [commit] : [],
  )
  const [mirror = ''] = readdirSync(join(data, 'mirrors'))
  const treesOf = treesIn(join(data, 'mirrors', mirror))
  const trees = new Set(await treesOf(tested))
  const mainTrees = await treesOf(landed.map(({ commit }) => commit))
  const untested = mainTrees.filter((tree) => !trees.has(tree)).length
  if (untested <= run.unproven) return order
  return [...order, `${untested} landed trees were never tested, of which ${run.unproven} count`]
}

/** Returns a function that finds the trees of commits; the mirror has also those that never landed. */
function treesIn(mirror: string) {
  return async (commits: readonly string[]): Promise<string[]> => {
    if (commits.length === 0) return []
    const input = commits.map((commit) => `${commit}^{tree}\n`).join('')
    const check = ['--git-dir', mirror, 'cat-file', '--batch-check=%(objectname)']
    return (await git(check, { input })).trim().split('\n')
  }
}

/** The log replays to the same state, and no property is violated. */
function faultsInLog({ data, queue }: Rehearsal): string[] {
  const recording = openRecording(data, data, queue.name)
  const exactness = replayExactly(recording)
  const violations: string[] = []
  watchRecording(recording, exactness, {
    observers: [],
    onViolation: ({ property, story }) => violations.push(`${property}: ${story}`),
  })
  return [exactness.fault ?? [], violations].flat()
}

async function leftOver({ repository, data }: Rehearsal): Promise<string[]> {
  const locks = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.lock'),
  )
  return [
    ...(await leftBehind(repository)).map((ref) => `left behind: ${ref}`),
    ...locks.map((path) => `left behind: ${path}`),
    ...testProcesses(data).map((pid) => `still running: process ${pid}`),
  ]
}
