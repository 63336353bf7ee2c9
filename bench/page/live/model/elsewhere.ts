/**
 * Starred pull requests that the stream does not tell of: those that wait behind the first 200, and those
 * that ended long ago. They are asked for one by one, and again each minute.
 */

import { signal } from '@preact/signals'
import type { PullRequestPage } from '../../../../server/page/answers.ts'
import { get } from './ask.ts'

const pause = 60_000

/** Null for a number that the queue does not know. */
export const elsewhere = signal<ReadonlyMap<string, PullRequestPage | null>>(new Map())

const asked = new Map<string, number>()

export const elsewhereKey = (queue: string, number: number): string => `${queue} ${number}`

export async function askFor(queue: string, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const key = elsewhereKey(queue, number)
    const now = performance.now()
    if (now - (asked.get(key) ?? -Infinity) < pause) continue
    asked.set(key, now)
    const address = `/page/pull-request?queue=${encodeURIComponent(queue)}&number=${number}`
    const answered = await get<PullRequestPage>(address)
    if (answered.kind === 'unreachable') continue
    const page = answered.kind === 'ok' ? answered.body : null
    elsewhere.value = new Map([...elsewhere.value, [key, page]])
  }
}
