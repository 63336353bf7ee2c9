/** Mergify's merge queue: `.mergify.yml`. */

import { mergifyBatches } from '../strategies/mergify.ts'
import { type Owner, closed, listOf, text, wholeFrom, yesOrNo } from './owner-schema.ts'
import { type Parameter, type Values, numberIn, onOff, slotCount, whole } from './parameters.ts'
import type { OtherQueue } from './queue.ts'

// What Mergify accepts: the parts of `.mergify.yml` that are printed.

const mergifyQueue = {
  max_parallel_checks: wholeFrom(1, 128),
  skip_intermediate_results: yesOrNo,
} as const

/** One size, and each end of a range of sizes. */
const mergifyBatchSize = wholeFrom(1, 128)

/** The schema calls it a duration; the page "Data types" says which: quantity, unit, and so on. */
const duration = { type: 'string', pattern: '^\\d+ (?:seconds|minutes)$' }

const queueRule = {
  name: text,
  batch_size: {
    anyOf: [mergifyBatchSize, closed({ min: mergifyBatchSize, max: mergifyBatchSize })],
  },
  batch_max_wait_time: duration,
}

export const mergifyOwner: Owner = {
  schema: closed({
    merge_queue: closed(mergifyQueue),
    queue_rules: listOf(closed(queueRule), { maxItems: 50 }),
  }),
  source:
    'the JSON Schema that Mergify publishes, public/mergify-configuration-schema.json of Mergifyio/docs at 905e495 (2026-08-21)',
}

const checks = 'max_parallel_checks'
const skip = 'skip_intermediate_results'
const batch = 'batch_size'
const wait = 'batch_max_wait_time'

const { minimum: leastSize, maximum: mostSize = Infinity } = mergifyBatchSize

/** The schema has no longest wait; nobody waits longer than a day. */
const waits = wholeFrom(0, 86_400)

const batchSize: Parameter = {
  name: batch,
  title: 'batch size',
  unit: '',
  usual: 1,
  ladder: () => [1, 2, 4, 8, 16, '1..4', '1..8', '1..16'],
  expected: `sizes from ${leastSize} to ${mostSize}, or a range such as 1..8`,
  read: (range) => {
    const [least, most] = sizesIn(range)
    const isValid =
      /^\d{1,3}(?:\.\.\d{1,3})?$/.test(range) &&
      least >= leastSize &&
      least <= most &&
      most <= mostSize
    if (!isValid) return null
    return { value: least === most ? least : `${least}..${most}` }
  },
}

export const mergify: OtherQueue = {
  name: 'mergify',
  title: "Mergify's merge queue",
  after: 'docs.mergify.com, "Merge Queue Batches" and "Performance"',
  leavesOut: 'grouping by similar changes, scopes, retries of checks, reruns of only what failed',
  parameters: [
    slotCount(checks, {
      title: 'parallel checks',
      accepted: mergifyQueue[checks],
      usual: 5,
      ladder: [1, 2, 5, 10],
    }),
    batchSize,
    whole(wait, {
      title: 'batch wait',
      unit: 's',
      accepted: waits,
      usual: 30,
      ladder: [0, 30, 300, 600],
    }),
    onOff(skip, 'skip intermediate results', false),
  ],
  normal,
  kinds: (values) => [
    ...(sizesOf(values)[1] > 1 ? (['mid-batch'] as const) : []),
    ...(values[skip] === true ? (['cleared-by-successor'] as const) : []),
  ],
  slots: (values) => numberIn(values, checks),
  policy: (values) => {
    const [least, most] = sizesOf(values)
    return mergifyBatches({
      checks: numberIn(values, checks),
      ...{ least, most },
      waitMs: numberIn(values, wait) * 1000,
      skipsIntermediate: values[skip] === true,
    })
  },
  configuration: (values) => {
    const [least, most] = sizesOf(values)
    return {
      target: '.mergify.yml',
      language: 'yaml',
      text: [
        'merge_queue:',
        `  ${checks}: ${numberIn(values, checks)}`,
        `  ${skip}: ${values[skip] === true}`,
        'queue_rules:',
        '  - name: default',
        ...(least === most
          ? [`    ${batch}: ${most}`]
          : [`    ${batch}:`, `      min: ${least}`, `      max: ${most}`]),
        `    ${wait}: ${durationText(numberIn(values, wait))}`,
        '',
      ].join('\n'),
      apply: ['keep the other keys of the file, such as the conditions of your queue rule'],
      checked: mergifyOwner.source,
    }
  },
}

/** A batch that may hold one pull request never waits. With one check nothing is speculative. */
function normal(values: Values, fallback: Values): Values {
  const [least] = sizesOf(values)
  return {
    ...values,
    [wait]: least === 1 ? numberIn(fallback, wait) : numberIn(values, wait),
    [skip]: numberIn(values, checks) > 1 && values[skip] === true,
  }
}

function sizesOf(values: Values): readonly [least: number, most: number] {
  return sizesIn(String(values[batch]))
}

function sizesIn(range: string): readonly [least: number, most: number] {
  const [least = NaN, most = least] = range.split('..').map(Number)
  return [least, most]
}

function durationText(seconds: number): string {
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`
}
