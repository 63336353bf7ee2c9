/** What a page shows, read from its elements, and the same as the API and the metrics say it. */

import type { Page } from 'playwright-core'
import type { Client } from '../../../server/testing/client.ts'
import { main } from '../../../server/testing/client.ts'
import type * as wire from '../../../server/contract/wire.ts'

/** All lists are in ascending order, because the API and the page list by different rules. */
export type Seen = {
  /** How many are in each state. */
  readonly figures: Readonly<Record<string, number>>
  /** The numbers that are shown as being in the queue. */
  readonly numbers: readonly number[]
  /** The pull requests of each run in progress, as "1+2". */
  readonly runs: readonly string[]
  readonly slots: number
}

const words = {
  TESTING: 'testing',
  TESTS_PASSED: 'passed',
  PENDING_FAILURE: 'held',
  PENDING: 'waiting',
  NOT_READY: 'not ready',
} as const

const counted = Object.values(words)

export async function seenOn(page: Page): Promise<Seen> {
  const read = await page.evaluate<{
    figures: [string, string][]
    numbers: string[]
    runs: string[]
  }>(`(() => {
    const numbersIn = (element, selector) =>
      [...element.querySelectorAll(selector)].map((link) => link.dataset.row)
    return {
      figures: [...document.querySelectorAll('[data-figure]')].map((each) =>
        [each.dataset.figure, each.querySelector('dd').textContent]),
      numbers: [
        ...numbersIn(document, '.line .group [data-row], .waiting [data-row]'),
        ...[...document.querySelectorAll('.search .members > li')]
          .filter((each) => !each.querySelector('.is-failed, .is-merged, .is-cancelled'))
          .flatMap((each) => numbersIn(each, '[data-row]')),
      ],
      runs: [
        ...[...document.querySelectorAll('.group')].filter((each) => each.querySelector('.run'))
          .map((each) => numbersIn(each, '[data-row]').join('+')),
        ...[...document.querySelectorAll('.step[data-outcome=""]')]
          .map((each) => each.dataset.tested),
      ],
    }
  })()`)
  const found = new Map(read.figures)
  const numberOf = (name: string): number => Number(found.get(name)?.replaceAll(',', '') ?? 0)
  return {
    figures: Object.fromEntries(counted.map((name) => [name, numberOf(name)])),
    numbers: [...new Set(read.numbers)].map(Number).sort((a, b) => a - b),
    runs: read.runs.sort(),
    slots: Number.parseInt(found.get('slots used') ?? '', 10),
  }
}

export async function saidByApi(client: Client): Promise<Seen> {
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', main)
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
  const count = (state: string): number =>
    enqueuedPullRequests.filter((each) => each.state === state).length
  return {
    figures: Object.fromEntries(Object.entries(words).map(([state, word]) => [word, count(state)])),
    numbers: enqueuedPullRequests.map(({ prNumber }) => prNumber).sort((a, b) => a - b),
    runs: testRuns
      .map(({ testedPullRequests }) => testedPullRequests.map(({ prNumber }) => prNumber).join('+'))
      .sort(),
    slots: testRuns.filter(({ isBisection }) => !isBisection).length,
  }
}

/** The depth and the slots of the metrics, which count in another way. */
export async function saidByMetrics(client: Client): Promise<{ depth: number; slots: number }> {
  const { text } = await client.get('getMergeQueueMetrics', '/v1/getMergeQueueMetrics')
  const sum = (pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((all, [, value]) => all + Number(value), 0)
  return {
    depth: sum(/^mq_depth_current\{[^}]*\} (\d+)$/gm),
    slots: sum(/^mq_testing_slots_active\{[^}]*queue_type="main"[^}]*\} (\d+)$/gm),
  }
}
