/** The page of one pull request, loaded again whenever the stream says that something has changed. */

import { signal } from '@preact/signals'
import type { PullRequestPage } from '../../../../server/page/answers.ts'
import { get } from '../model/ask.ts'

export type Loaded = {
  readonly key: string
  /** Null if there is no such pull request. */
  readonly page: PullRequestPage | null
  readonly error: string | null
}

export const loadedPage = signal<Loaded | null>(null)

let isLoading = false
let wanted: { queue: string; number: number } | null = null

export const keyOf = (queue: string, number: number): string => `${queue} ${number}`

/** One request at a time; what changes meanwhile leads to one more. */
export async function loadPage(queue: string, number: number): Promise<void> {
  wanted = { queue, number }
  if (isLoading) return
  isLoading = true
  while (wanted) {
    const now: { queue: string; number: number } = wanted
    wanted = null
    const address = `/page/pull-request?queue=${encodeURIComponent(now.queue)}&number=${now.number}`
    const answered = await get<PullRequestPage>(address)
    const key = keyOf(now.queue, now.number)
    if (answered.kind === 'ok') loadedPage.value = { key, page: answered.body, error: null }
    else if (answered.kind === 'refused' && answered.status === 404) {
      loadedPage.value = { key, page: null, error: null }
    } else {
      const known = loadedPage.value?.key === key ? loadedPage.value.page : null
      loadedPage.value = { key, page: known, error: answered.error }
    }
  }
  isLoading = false
}
