/** The commits behind submissions and tips, and that they survive a restart. */

import { expect, test } from 'vitest'
import type { RecordedCommand } from '../../engine/index.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import {
  SnapshotReader,
  snapshotLines,
  textOfLine,
  type SnapshotLine,
} from '../store/snapshot-lines.ts'
import { silent } from '../testing/recording.ts'

const name = 'local/me/shop:main'
const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-111111111111'
const author = { name: 'Ada', email: 'ada@example.com' }
const card = (head: string) => ({ head, title: head, body: '', author, ref: 'refs/pull/1/head' })

function registryWith(...commands: readonly RecordedCommand[]): QueueRegistry {
  const registry = new QueueRegistry(silent)
  const create = { type: 'createQueue', incarnation, set: {}, codeHost: 'answers' } as const
  for (const command of [create, ...commands]) {
    const sequence = registry.sequence + 1
    const outcome = registry.apply({ sequence, at: sequence, queue: name, command })
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
  }
  return registry
}

const merged: readonly RecordedCommand[] = [
  { type: 'reportTip', commit: 'c0' },
  { type: 'reportPullRequest', number: 1, title: 'Pay twice', author: 'ada' },
  { type: 'submitPullRequest', number: 1, card: card('h1') },
  { type: 'finishTestRun', testRun: 1, outcome: 'passed', commit: 't1' },
  { type: 'finishMerge', number: 1, refused: null, commits: ['c1'] },
  { type: 'reportPush', commit: 'c2' },
]

/** The history of the queue, also after a restart from a snapshot. */
function histories(registry: QueueRegistry) {
  const reader = new SnapshotReader()
  for (const line of snapshotLines(registry.state())) {
    const read: SnapshotLine = JSON.parse([...textOfLine(line)].join(''))
    reader.take(read)
  }
  return [registry.find(name)?.history, reader.queues[0]?.history]
}

test('each tip has the commit that the command told which moved it, also after a restart', () => {
  for (const history of histories(registryWith(...merged))) {
    expect([...(history?.tips ?? [])]).toEqual([
      [0, 'c0'],
      [1, 'c1'],
      [2, 'c2'],
    ])
  }
})

test('what was told about a pull request and its run is known, also after a restart', () => {
  for (const history of histories(registryWith(...merged))) {
    const described = { title: 'Pay twice', author: 'ada', base: '' }
    expect(history?.pullRequests.get(1)?.described).toEqual(described)
    expect(history?.testRuns.get(1)).toMatchObject({ outcome: 'passed', endedAt: 5, commit: 't1' })
  }
})

test('a submission freezes its head; a push needs a new submission, which has a card of its own', () => {
  const registry = registryWith(
    { type: 'submitPullRequest', number: 1, card: card('h1') },
    { type: 'submitPullRequest', number: 1, priority: 0, card: card('h2') },
    { type: 'cancelPullRequest', number: 1, reason: 'PR_PUSHED_TO' },
    { type: 'submitPullRequest', number: 1, card: card('h3') },
  )
  for (const history of histories(registry)) {
    expect(
      [...(history?.cards ?? [])].map(([id, { head, number, at }]) => [id, number, head, at]),
    ).toEqual([
      [1, 1, 'h1', 2],
      [2, 1, 'h3', 5],
    ])
  }
})

test('the cards of forgotten pull requests are dropped', () => {
  const registry = registryWith(...merged, { type: 'forget', numbers: [1] })
  for (const history of histories(registry)) {
    expect(history?.cards.size).toBe(0)
    expect(history?.tips.get(2)).toBe('c2')
  }
})
