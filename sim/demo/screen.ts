/** The output of a demo: an introduction, then a status line. */

import { type Scenario, generatedCount } from '../scenario/scenario.ts'
import { toMinutes } from '../scenario/time.ts'
import { type Terminal, isTerminalStream } from '../../server/terminal/output.ts'
import { duration } from '../../server/terminal/text.ts'
import { own } from '../../server/terminal/visible.ts'
import type { DemoQueueRef } from './api.ts'
import type { WebhookMessage } from './receiver.ts'
import { requestOf } from './simulated-users.ts'

export type IntroductionInput = {
  readonly scenario: Scenario
  readonly speed: number
  readonly url: string
  readonly token: string
  readonly data: string
  readonly queue: DemoQueueRef
}

export function introduction({
  scenario,
  speed,
  url,
  token,
  data,
  queue,
}: IntroductionInput): string {
  const count = generatedCount(scenario) + (scenario.pullRequests?.length ?? 0)
  const missing = leftOut(scenario)
  const curl = (path: string): string => `curl -s ${url}/v1/${path} -H 'x-api-token: ${token}'`
  const rows = [
    ['page', url],
    ['docs', `${url}/docs`],
    ['token', token],
    [
      'queue',
      `${curl('getQueue')} -H 'content-type: application/json' -d '${JSON.stringify(queue)}'`,
    ],
    ['metrics', curl('getMergeQueueMetrics')],
    ['data', data],
    ...(missing.length > 0
      ? [['left out', `${missing.join(', ')}: only a code host can report these`]]
      : []),
  ]
  return [
    `${scenario.name}, ${speed} times real time: ${count} pull requests`,
    '',
    ...rows.map(([name = '', text = '']) => `  ${name.padEnd(9)} ${text}`),
    '',
    'Press Ctrl-C to stop.',
    '',
    '',
  ].join('\n')
}

export type DemoStatus = {
  readonly nowMs: number
  readonly submitted: number
  readonly enqueued: number
  readonly reported: number
  readonly tally: Tally
}

export function statusLine({ nowMs, submitted, enqueued, reported, tally }: DemoStatus): string {
  const { merged, failed, cancelled } = tally.counts
  const webhooks = `${tally.webhooks} webhooks, ${tally.forged === 0 ? 'all genuine' : `${tally.forged} forged`}`
  return [
    duration(toMinutes(nowMs)).padStart(11),
    `submitted ${submitted}`,
    `in the queue ${enqueued}`,
    `merged ${merged}`,
    `failed ${failed}`,
    `cancelled ${cancelled}`,
    `${reported} runs reported`,
    webhooks,
  ].join('   ')
}

/** Shows the status: on a terminal in one place, otherwise as a new line after each change. */
export class StatusDisplay {
  readonly #out: Terminal['stdout']
  #last = ''

  constructor(out: Terminal['stdout']) {
    this.#out = out
  }

  show(line: string): void {
    if (line === this.#last) return
    const isTerminal = isTerminalStream(this.#out)
    this.#out.write(isTerminal ? `${own('[G')}${line.padEnd(this.#last.length)}` : `${line}\n`)
    this.#last = line
  }

  /** Ends the line, so that further output begins on a new line. */
  end(): void {
    if (this.#last !== '') this.#out.write('\n')
    this.#last = ''
  }
}

// The parts of a scenario that a demo leaves out: the API has no operation to report them.

/** Returns the names of the parts that are left out. */
export function leftOut({
  pullRequests = [],
  traffic = {},
  events = [],
  faults = {},
}: Scenario): string[] {
  const has = {
    'text conflicts':
      (traffic.conflictRate ?? 0) > 0 ||
      pullRequests.some(({ conflictsWith = [] }) => conflictsWith.length > 0),
    'direct merges':
      (traffic.greenOnTipRate ?? 0) > 0 || pullRequests.some((entry) => entry.greenOnTip),
    'pushes to the branch, merges by hand, mergeability': events.some(
      (event) => requestOf(event) === null,
    ),
    'refused merges':
      [
        faults.mergeRefusedRate,
        faults.mergeConflictRate,
        faults.mergePushedRate,
        faults.branchMovedRate,
        faults.partialPushRate,
      ].some((rate) => (rate ?? 0) > 0) || (faults.mergeMinutes ?? 0) > 0,
    crashes: (faults.crashRate ?? 0) + (faults.lostCommandRate ?? 0) > 0,
  }
  return Object.entries(has).flatMap(([name, isThere]) => (isThere ? [name] : []))
}

/** Counts the webhook messages that the demo has received. */
const counted = {
  'pull_request.merged': 'merged',
  'pull_request.failed': 'failed',
  'pull_request.canceled': 'cancelled',
} as const

export class Tally {
  readonly counts = { merged: 0, failed: 0, cancelled: 0 }
  webhooks = 0
  forged = 0

  onMessage({ type }: WebhookMessage): void {
    this.webhooks++
    const outcome = Object.entries(counted).find(([name]) => name === type)?.[1]
    if (outcome) this.counts[outcome]++
  }

  /** The number of pull requests that have left the queue. */
  get left(): number {
    const { merged, failed, cancelled } = this.counts
    return merged + failed + cancelled
  }
}
