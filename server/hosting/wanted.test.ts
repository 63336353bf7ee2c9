/** What a state of the queue wants, and what commits on its target branch mean for it. */

import { expect, test } from 'vitest'
import { Engine, newQueue, type EngineCommand } from '../../engine/index.ts'
import { reportsOf, type NewCommit } from './looking.ts'
import { wantedOf } from './wanted.ts'

const commit = (id: string, ...numbers: readonly number[]): NewCommit => ({
  commit: id,
  numbers,
  isMadeOfThem: numbers.length > 0,
})

const ignored = (): void => undefined
const ports = {
  clock: { wakeAt: ignored },
  testRunner: { start: ignored, cancel: ignored },
  codeHost: { merge: ignored },
}

/** A queue after these commands. */
function queueAfter(...commands: readonly EngineCommand[]) {
  const configuration = { concurrency: 2 }
  const engine = new Engine(newQueue({ configuration, codeHost: 'groups' }), ports)
  for (const command of commands) engine.dispatch({ ...command, at: 0 })
  return engine.queue
}

const submit = (number: number): EngineCommand => ({ type: 'submitPullRequest', number })
const passed = (testRun: number): EngineCommand => ({
  type: 'finishTestRun',
  testRun,
  outcome: 'passed',
})

test('each run in progress is wanted', () => {
  const { runs, merges } = wantedOf(queueAfter(submit(1), submit(2), submit(3)))
  expect(runs.map(({ id, tested }) => ({ id, tested }))).toEqual([
    { id: 1, tested: [1] },
    { id: 2, tested: [2] },
  ])
  expect(merges).toEqual([])
})

test('a group that passed is wanted on the branch, until it is said what became of it', () => {
  const commands = [submit(1), submit(2), passed(1)]
  expect(wantedOf(queueAfter(...commands)).merges).toEqual([{ group: 1, numbers: [1] }])
  const moved = { type: 'finishMerge', number: 1, refused: 'TARGET_BRANCH_MOVED' } as const
  expect(wantedOf(queueAfter(...commands, moved)).merges).toEqual([])
  const merged = { type: 'finishMerge', number: 1, numbers: [1], refused: null } as const
  expect(wantedOf(queueAfter(...commands, merged)).merges).toEqual([])
})

test.each([
  { it: 'no commit', commits: [], reports: [] },
  {
    it: 'commits of other people: one push, to the last of them',
    commits: [commit('aa'), commit('bb')],
    reports: [{ type: 'reportPush', commit: 'bb' }],
  },
  {
    it: 'a queued pull request: merged by hand',
    commits: [commit('aa', 1)],
    reports: [{ type: 'reportManualMerge', number: 1, commit: 'aa' }],
  },
  {
    it: 'a merge by hand that changes something else too: also a push',
    commits: [{ commit: 'aa', numbers: [1], isMadeOfThem: false }],
    reports: [
      { type: 'reportManualMerge', number: 1, commit: 'aa' },
      { type: 'reportPush', commit: 'aa' },
    ],
  },
  {
    it: 'a pull request that is not in the queue: a push',
    commits: [commit('aa', 9)],
    reports: [{ type: 'reportPush', commit: 'aa' }],
  },
  {
    it: 'two in one commit, and one twice: each is told once',
    commits: [commit('aa', 2, 1), commit('bb', 1)],
    reports: [
      { type: 'reportManualMerge', number: 2, commit: 'aa' },
      { type: 'reportManualMerge', number: 1, commit: 'aa' },
      { type: 'reportPush', commit: 'bb' },
    ],
  },
  {
    it: 'all mixed: in the order of the branch',
    commits: [commit('aa'), commit('bb', 2), commit('cc'), commit('dd')],
    reports: [
      { type: 'reportPush', commit: 'aa' },
      { type: 'reportManualMerge', number: 2, commit: 'bb' },
      { type: 'reportPush', commit: 'dd' },
    ],
  },
])('new commits mean: $it', ({ commits, reports }) => {
  expect(reportsOf(queueAfter(submit(1), submit(2)), commits)).toEqual(reports)
})
