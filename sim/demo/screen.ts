/** What a demo says: first where to look, then a line about how it goes. */

import { isTerminalStream, type Terminal } from '../command-line/output.ts'
import { duration } from '../command-line/text.ts'
import { generatedCount, type Scenario } from '../scenario/scenario.ts'
import { toMinutes } from '../time.ts'
import type { QueueRef } from './api.ts'
import { leftOut } from './left-out.ts'
import type { Tally } from './tally.ts'

export type Shown = {
  readonly scenario: Scenario
  readonly speed: number
  readonly url: string
  readonly token: string
  readonly data: string
  readonly queue: QueueRef
}

export function introduction({ scenario, speed, url, token, data, queue }: Shown): string {
  const count = generatedCount(scenario) + (scenario.pullRequests?.length ?? 0)
  const missing = leftOut(scenario)
  const curl = (path: string): string => `curl -s ${url}/v1/${path} -H 'x-api-token: ${token}'`
  const rows = [
    ['docs', `${url}/docs`],
    ['token', token],
    [
      'queue',
      `${curl('getQueue')} -H 'content-type: application/json' -d '${JSON.stringify(queue)}'`,
    ],
    ['metrics', curl('getMergeQueueMetrics')],
    ['data', data],
    ...(missing.length > 0 ? [['left out', `${missing.join(', ')}: for a code host to tell`]] : []),
  ]
  return [
    `${scenario.name}, ${speed} times as fast: ${count} pull requests`,
    '',
    ...rows.map(([name = '', text = '']) => `  ${name.padEnd(9)} ${text}`),
    '',
    'Ctrl-C ends it.',
    '',
    '',
  ].join('\n')
}

export type Standing = {
  readonly nowMs: number
  readonly submitted: number
  readonly enqueued: number
  readonly reported: number
  readonly tally: Tally
}

export function statusLine({ nowMs, submitted, enqueued, reported, tally }: Standing): string {
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

/** Says how it stands: in one place on a terminal, else a line whenever it has changed. */
export class StatusDisplay {
  readonly #out: Terminal['stdout']
  #last = ''

  constructor(out: Terminal['stdout']) {
    this.#out = out
  }

  show(line: string): void {
    if (line === this.#last) return
    const isTerminal = isTerminalStream(this.#out)
    this.#out.write(isTerminal ? `\r${line.padEnd(this.#last.length)}` : `${line}\n`)
    this.#last = line
  }

  /** Whatever follows begins on a line of its own. */
  end(): void {
    if (this.#last !== '') this.#out.write('\n')
    this.#last = ''
  }
}
