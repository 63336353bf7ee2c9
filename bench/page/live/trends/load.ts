/** The trends of a queue, loaded when they are shown and again when something has ended since. */

import { signal } from '@preact/signals'
import type { Trends } from '../../../../server/page/frame.ts'
import { get } from '../model/ask.ts'

export type Span = 24 | 168

export type LoadedTrends = { readonly queue: string; readonly span: Span; readonly trends: Trends }

export const span = signal<Span>(24)
export const loaded = signal<LoadedTrends | null>(null)
export const trendsError = signal<string | null>(null)

/** What ends in the meantime is shown with the next load, so that a storm asks once a minute. */
const pause = 60_000

let last = { key: '', at: -Infinity }

export async function loadTrends(queue: string): Promise<void> {
  const wanted = span.value
  const key = `${queue} ${wanted}`
  const isShown = last.key === key && loaded.value?.queue === queue
  if (isShown && performance.now() - last.at < pause) return
  last = { key, at: performance.now() }
  const address = `/page/trends?queue=${encodeURIComponent(queue)}&hours=${wanted}`
  const answered = await get<Trends>(address)
  if (last.key !== key) return
  trendsError.value = answered.kind === 'ok' ? null : answered.error
  if (answered.kind === 'ok') loaded.value = { queue, span: wanted, trends: answered.body }
}
