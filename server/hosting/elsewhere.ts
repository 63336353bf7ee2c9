/** A queue whose repository another server works on now: that one is asked, and answers in words of JSON. */

import type { PullRequestNumber, TestRunId } from '../../engine/index.ts'
import { withoutCredentials } from '../git/git.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { HostAnswer, HostedQueue, HostRefusal } from './hosting.ts'
import { pageOfPull, type HostOptions } from './options.ts'

export type HostQuestion = { readonly queue: string } & (
  | { readonly asks: 'card'; readonly number: PullRequestNumber }
  | { readonly asks: 'open'; readonly branch: string }
  | { readonly asks: 'log'; readonly run: TestRunId }
  | { readonly asks: 'seen' }
)

/** Asks the server that works; null if there was no answer in time. */
export type AskElsewhere = (question: HostQuestion) => Promise<string | null>

const unanswered: HostRefusal = {
  status: 503,
  text: 'no server works on this repository now: ask again',
  retryAfter: 1,
}

export function elsewhere({ ref, url, tests, forge }: HostOptions, ask: AskElsewhere): HostedQueue {
  const queue = nameOfQueue(ref)
  const answerTo = async <Value>(question: HostQuestion): Promise<HostAnswer<Value>> => {
    const text = await ask(question).catch(() => null)
    if (text === null) return { refused: unanswered }
    const found: HostAnswer<Value> = JSON.parse(text)
    return found
  }
  return {
    ref,
    testsItself: tests.kind !== 'external',
    pageOf: (number) => (forge ? pageOfPull(forge, number) : null),
    cardOf: (number) => answerTo({ queue, asks: 'card', number }),
    open: (branch) => answerTo({ queue, asks: 'open', branch }),
    logOf: (run) => answerTo({ queue, asks: 'log', run }),
    seen: () => answerTo({ queue, asks: 'seen' }),
    commitOf: () => null,
    status: () => ({ url: withoutCredentials(url), lastLookAt: null, faults: [] }),
  }
}

/** What the server that works answers. */
export async function answerFor(hosted: HostedQueue, question: HostQuestion): Promise<string> {
  return JSON.stringify(await answered(hosted, question))
}

function answered(hosted: HostedQueue, question: HostQuestion): Promise<HostAnswer<unknown>> {
  switch (question.asks) {
    case 'card':
      return hosted.cardOf(question.number)
    case 'open':
      return hosted.open(question.branch)
    case 'log':
      return hosted.logOf(question.run)
    case 'seen':
      return hosted.seen()
  }
}
