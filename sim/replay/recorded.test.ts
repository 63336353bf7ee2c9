/** Replays a recording of version 1.0.0. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configurationWith, newQueue } from '../../engine/index.ts'
import { copyRecorded } from '../../engine/recording/testing/recorded.ts'
import { watchRecording, replayExactly } from './check-recording.ts'
import { openRecording, type Recording } from './recording.ts'
import { temporaryFolder } from '../../server/terminal/testing/temporary-folder.ts'

const folder = temporaryFolder()
copyRecorded(folder)

const log = join(folder, 'log')
const shop = 'github.com/acme/shop:main'

const open = (path: string): Recording => openRecording(path, 'recorded', shop)

// E-141
test('the recording of version 1.0.0 replays exactly, until a slot was left over for a second look', () => {
  const recording = open(folder)
  expect(recording.begin.isWhole).toBe(true)
  const { commands, fault } = replayExactly(recording)
  expect(commands).toBe(19)
  expect(fault).toMatch(/^After entry 19 the state is not that of .*00000002\.begin\.json\.$/)
})

test('each later segment starts at its snapshot, replays exactly, and lists its test runs', () => {
  for (const [segment, commands] of [
    [2, 5],
    [3, 2],
  ]) {
    const recording = open(join(log, `0000000${segment}.jsonl`))
    expect(recording.begin.isWhole).toBe(false)
    const exactness = replayExactly(recording)
    expect(exactness).toMatchObject({ commands, fault: null })
    const watching = { observers: [], onViolation: () => undefined }
    const { figures, lists } = watchRecording(recording, exactness, watching).result
    expect(lists.testRuns).toHaveLength(figures.totals.testRuns)
  }
})

// E-272
test('a quarantine that ended before a test failed has ended in the replay, too', () => {
  const start = Date.UTC(2026, 9, 1)
  const minute = 60_000
  const striking = { name: 'clock > strikes' }
  const commands = [
    [0, { type: 'quarantineTest', test: striking, until: start + minute }],
    [0, { type: 'submitPullRequest', number: 1 }],
    [
      2,
      {
        type: 'finishTestRun',
        testRun: 1,
        outcome: 'failed',
        failedTests: [striking],
      },
    ],
  ] as const
  const configuration = configurationWith({})
  const queue = newQueue({ at: start, configuration, state: 'RUNNING', codeHost: 'merges at once' })
  const recording: Recording = {
    name: shop,
    begin: { incarnation: '1', queue, at: start, sequence: 0, isWhole: true },
    entries: commands.map(([minutes, command], index) => ({
      sequence: index + 1,
      at: start + minutes * minute,
      command,
      by: null,
    })),
    checkpoints: [],
  }
  const watching = { observers: [], onViolation: () => undefined }
  const { figures } = watchRecording(recording, replayExactly(recording), watching).result
  expect(figures.totals).toMatchObject({ merged: 0, failed: 1 })
})
