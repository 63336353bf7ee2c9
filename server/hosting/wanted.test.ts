/** What commits on the target branch mean for a queue. */

import { expect, test } from 'vitest'
import { Engine, newQueue } from '../../engine/index.ts'
import { reportsOf, type NewCommit } from './polling.ts'

const commit = (id: string, ...numbers: readonly number[]): NewCommit => ({
  commit: id,
  numbers,
  isMadeOfThem: numbers.length > 0,
})

const ignored = (): void => undefined
const engine = new Engine(newQueue({ codeHost: 'groups' }), {
  clock: { wakeAt: ignored },
  testRunner: { start: ignored, cancel: ignored },
  codeHost: { merge: ignored },
})
for (const number of [1, 2]) engine.dispatch({ type: 'submitPullRequest', number, at: 0 })

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
  expect(reportsOf(engine.queue, commits)).toEqual(reports)
})
