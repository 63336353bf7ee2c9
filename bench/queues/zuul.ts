/** Zuul's dependent pipeline. */

import { zuulChain } from '../strategies/zuul.ts'
import { type Owner, closed, listOf, text, wholeFrom } from './owner-schema.ts'
import {
  type Values,
  choice,
  labelOfValue,
  mostSlots,
  numberIn,
  numberOrNoneIn,
  whole,
  wholeOrNone,
} from './parameters.ts'
import type { OtherQueue } from './queue.ts'

// What Zuul accepts: the attributes of a dependent pipeline that are printed.

const change = { enum: ['linear', 'exponential'] } as const

const zuulWindow = {
  window: wholeFrom(0),
  'window-floor': wholeFrom(1),
  'window-ceiling': wholeFrom(1),
  'window-increase-type': change,
  'window-increase-factor': wholeFrom(1),
  'window-decrease-type': change,
  'window-decrease-factor': wholeFrom(1),
} as const

const pipeline = closed({ name: text, manager: { enum: ['dependent'] }, ...zuulWindow }, [
  'name',
  'manager',
])

export const zuulOwner: Owner = {
  schema: listOf(closed({ pipeline })),
  source:
    'the attributes of a pipeline in the documentation on zuul-ci.org (read 2026-08-21); Zuul publishes no schema',
}

const parameters = [
  whole('window', {
    title: 'window',
    accepted: zuulWindow.window,
    from: 1,
    usual: 20,
    ladder: [5, 10, 20, 40],
  }),
  whole('window-floor', {
    title: 'floor',
    accepted: zuulWindow['window-floor'],
    usual: 3,
    ladder: [1, 3, 10],
  }),
  wholeOrNone('window-ceiling', {
    title: 'ceiling',
    accepted: zuulWindow['window-ceiling'],
    ladder: (slots) => [slots, mostSlots(slots), null],
  }),
  choice('window-increase-type', {
    title: 'increase',
    accepted: zuulWindow['window-increase-type'],
    usual: 'linear',
    isSearched: false,
  }),
  whole('window-increase-factor', {
    title: 'increase factor',
    accepted: zuulWindow['window-increase-factor'],
    usual: 1,
    ladder: [1, 2],
  }),
  choice('window-decrease-type', {
    title: 'decrease',
    accepted: zuulWindow['window-decrease-type'],
    usual: 'exponential',
  }),
  whole('window-decrease-factor', {
    title: 'decrease factor',
    accepted: zuulWindow['window-decrease-factor'],
    usual: 2,
    ladder: [1, 2],
  }),
]

export const zuul: OtherQueue = {
  name: 'zuul',
  title: "Zuul's dependent pipeline",
  after: 'zuul-ci.org, "Project gating"',
  leavesOut: 'several projects, dependencies and cycles of changes, early failure by a pattern',
  parameters,
  normal,
  kinds: () => [],
  slots: () => null,
  policy: (values) =>
    zuulChain({
      window: numberIn(values, 'window'),
      floor: numberIn(values, 'window-floor'),
      ceiling: numberOrNoneIn(values, 'window-ceiling'),
      increaseType: changeIn(values, 'window-increase-type'),
      increaseFactor: numberIn(values, 'window-increase-factor'),
      decreaseType: changeIn(values, 'window-decrease-type'),
      decreaseFactor: numberIn(values, 'window-decrease-factor'),
    }),
  configuration: (values) => ({
    target: 'the gate pipeline, in a config-project',
    language: 'yaml',
    text: [
      '- pipeline:',
      '    name: gate',
      '    manager: dependent',
      ...parameters
        .filter(({ name }) => (values[name] ?? null) !== null)
        .map(({ name }) => `    ${name}: ${labelOfValue(values[name] ?? null)}`),
      '',
    ].join('\n'),
    apply: [
      'keep the triggers, reporters and requirements of your pipeline',
      ...(values['window-ceiling'] === null ? ['no window-ceiling: the window has no limit'] : []),
    ],
    checked: zuulOwner.source,
  }),
}

/** A window above its ceiling is as large as the ceiling, and so is the floor. */
function normal(values: Values): Values {
  const ceiling = numberOrNoneIn(values, 'window-ceiling') ?? Infinity
  const limited = (name: string): number => Math.min(ceiling, numberIn(values, name))
  return { ...values, window: limited('window'), 'window-floor': limited('window-floor') }
}

function changeIn(values: Values, name: string): 'linear' | 'exponential' {
  return values[name] === 'linear' ? 'linear' : 'exponential'
}
