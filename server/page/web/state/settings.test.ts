import { expect, test } from 'vitest'
import { settingsBetween, settingsOf } from './settings.ts'
import { aHead } from '../testing/frames.ts'

const before = settingsOf(aHead({ concurrency: 5, batching: { size: 4, waitMinutes: 5 } }))

test('only what differs is sent, and each change has its sentence', () => {
  expect(settingsBetween(before, before)).toEqual({ settings: {}, changes: [] })
  expect(settingsBetween(before, { ...before, concurrency: 3, batchingMinSize: 8 })).toEqual({
    settings: { concurrency: 3, batchingMinSize: 8 },
    changes: [
      'At most 3 run at once instead of 5. Runs under way go on.',
      'Batches have up to 8 pull requests.',
    ],
  })
})

test('without batches their size and wait are not sent', () => {
  const after = { ...before, batch: false, batchingMinSize: 9 }
  expect(settingsBetween(before, after).settings).toEqual({ batch: false })
})

test('batches that are new have a size and a wait', () => {
  const alone = settingsOf(aHead({ batching: null }))
  expect(settingsBetween(alone, { ...alone, batch: true }).settings).toEqual({
    batch: true,
    batchingMinSize: 4,
    batchingMaxWaitTimeMinutes: 5,
  })
})
