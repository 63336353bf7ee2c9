import { expect, test } from 'vitest'
import {
  listed,
  queueActions,
  rowActions,
  startingAgain,
  settingsAction,
  settingsOf,
} from './consequences.ts'
import { fold, type PageState } from './fold.ts'
import { aGroup, aHead, anEnd, aRow, aWhole } from '../testing/frames.ts'

function stateOf(whole: Parameters<typeof aWhole>[0]): PageState {
  const state = fold(null, aWhole(whole))
  if (!state) throw new Error('a whole gives a state')
  return state
}

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

/** What an action on a pull request will do. */
const told = (state: PageState, name: string, number: number): readonly string[] =>
  rowActions(state, number, 'medium').find((each) => each.name === name)?.consequences ?? []

test('the dialog names who starts again', () => {
  const groups = [aGroup(1, [10]), aGroup(2, [11])]
  const state = stateOf({ line: { groups, bisections: [] }, rows: [aRow(10), aRow(11), anEnd(9)] })
  expect(told(state, 'cancel', 10)[1]).toBe('#11 starts again without it.')
  expect(told(state, 'cancel', 11)[1]).toBe('Nobody else has to start again.')
  const searching = stateOf({ rows: [aRow(5, { state: 'TESTING', isBisected: true })] })
  expect(told(searching, 'cancel', 5)[1]).toBe('Its bisection goes on with the others.')
  expect(told(state, 'cancel', 9)).toEqual(['9 has left the queue.'])
})

// E-264
test('the dialog names who leaves with it, and not among those that start again', () => {
  const groups = [aGroup(1, [10]), aGroup(2, [11]), aGroup(3, [12])]
  const rows = [aRow(10, { dependents: [12] }), aRow(11), aRow(12, { dependents: [13] }), aRow(13)]
  const state = stateOf({ line: { groups, bisections: [] }, rows })
  expect(told(state, 'cancel', 10).slice(1)).toEqual([
    '#12 and #13 depend on it, and leave with it.',
    '#11 starts again without it.',
  ])
  expect(told(state, 'restart', 10)).toContain('#11 and #12 start again with it.')
})

test('a long list names the first ones and the number of the others', () => {
  expect(listed([])).toBe('')
  expect(listed([5])).toBe('#5')
  expect(listed([5, 7])).toBe('#5 and #7')
  expect(listed([1, 2, 3, 4, 5, 6])).toBe('#1, #2, #3, #4, #5 and #6')
  expect(listed([1, 2, 3, 4, 5, 6, 7])).toBe('#1, #2, #3, #4, #5 and 2 more')
})

test.each([
  ['RUNNING', 'pause drain'],
  ['PAUSED', 'resume drain'],
  ['DRAINING', 'resume pause'],
  ['SWITCHING_MODES', ''],
] as const)('what can be done with a queue that is %s', (state, names) => {
  const actions = queueActions(stateOf({ queue: aHead({ state }) }))
  const shown = actions.flatMap(({ name, isHidden }) => (isHidden ? [] : name))
  expect(shown.join(' ')).toBe(names)
})

const batching = aHead({ concurrency: 5, batching: { size: 4, waitMinutes: 5 } })
const alone = aHead({ batching: null })

test.each([
  ['nothing', batching, {}, null, ['Nothing is changed yet.']],
  [
    'only what differs, with a sentence for each',
    batching,
    { concurrency: 3, batchingMinSize: 8 },
    { concurrency: 3, batchingMinSize: 8 },
    [
      'At most 3 run at once instead of 5. Runs under way go on.',
      'Batches have up to 8 pull requests.',
    ],
  ],
  [
    'without batches neither their size nor their wait',
    batching,
    { batch: false, batchingMinSize: 9 },
    { batch: false },
    ['Each pull request is tested by itself. Batches under way go on.'],
  ],
  [
    'with new batches their size and their wait',
    alone,
    { batch: true },
    { batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 5 },
    ['Batches have up to 4 pull requests.', 'A batch waits at most 5 minutes until it is full.'],
  ],
] as const)('settings send %s', (_, queue, changed, body, consequences) => {
  const act = body && { operation: 'updateQueue', body }
  const action = settingsAction(queue, { ...settingsOf(queue), ...changed })
  expect(action).toMatchObject({ act, consequences })
})
