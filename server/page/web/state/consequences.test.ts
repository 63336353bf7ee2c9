import { expect, test } from 'vitest'
import { listed, ofRowAction, startingAgain, settingsBetween, settingsOf } from './consequences.ts'
import { fold, type PageState } from './fold.ts'
import { aGroup, aHead, aRow, aWhole } from '../testing/frames.ts'

function stateOf(whole: Parameters<typeof aWhole>[0]): PageState {
  const state = fold(null, aWhole(whole))
  if (!state) throw new Error('a whole gives a state')
  return state
}

test('in single mode the rest of the batch and all behind start again', () => {
  const groups = [aGroup(1, [10]), aGroup(2, [11, 12]), aGroup(3, [13])]
  const state = stateOf({ line: { groups, bisections: [] } })
  expect(startingAgain(state, 12)).toEqual([11, 13])
  expect(startingAgain(state, 13)).toEqual([])
  expect(startingAgain(state, 99)).toEqual([])
})

test('nobody starts again with one that has a conflict, because nothing stands on it', () => {
  const groups = [aGroup(1, [10], { phase: 'conflicted' }), aGroup(2, [11])]
  expect(startingAgain(stateOf({ line: { groups, bisections: [] } }), 10)).toEqual([])
})

test('in parallel mode only those on top start again, also those two steps up', () => {
  const groups = [
    aGroup(1, [10]),
    aGroup(2, [11]),
    aGroup(3, [12], { dependsOn: [1] }),
    aGroup(4, [13], { dependsOn: [3, 2] }),
  ]
  const state = stateOf({ queue: aHead({ mode: 'parallel' }), line: { groups, bisections: [] } })
  expect(startingAgain(state, 10)).toEqual([12, 13])
  expect(startingAgain(state, 11)).toEqual([13])
})

test('the dialog names who starts again', () => {
  const state = stateOf({ line: { groups: [aGroup(1, [10]), aGroup(2, [11])], bisections: [] } })
  expect(ofRowAction(state, 'cancel', 10)[1]).toBe('#11 starts again without it.')
  expect(ofRowAction(state, 'cancel', 11)[1]).toBe('Nobody else has to start again.')
  const searching = stateOf({ rows: [aRow(5, { state: 'TESTING', isBisected: true })] })
  expect(ofRowAction(searching, 'cancel', 5)[1]).toBe('Its bisection goes on with the others.')
})

// E-264
test('the dialog names who leaves with it, and not among those that start again', () => {
  const groups = [aGroup(1, [10]), aGroup(2, [11]), aGroup(3, [12])]
  const rows = [aRow(10, { dependents: [12] }), aRow(11), aRow(12, { dependents: [13] }), aRow(13)]
  const state = stateOf({ line: { groups, bisections: [] }, rows })
  expect(ofRowAction(state, 'cancel', 10).slice(1)).toEqual([
    '#12 and #13 depend on it, and leave with it.',
    '#11 starts again without it.',
  ])
  expect(ofRowAction(state, 'restart', 10)).toContain('#11 and #12 start again with it.')
})

test('a long list names the first ones and the number of the others', () => {
  expect(listed([])).toBe('')
  expect(listed([5])).toBe('#5')
  expect(listed([5, 7])).toBe('#5 and #7')
  expect(listed([1, 2, 3, 4, 5, 6])).toBe('#1, #2, #3, #4, #5 and #6')
  expect(listed([1, 2, 3, 4, 5, 6, 7])).toBe('#1, #2, #3, #4, #5 and 2 more')
})

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
