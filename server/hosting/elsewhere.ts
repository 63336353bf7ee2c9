/** A queue whose repository another server works on now. */

import { withoutCredentials } from '../git/git.ts'
import type { HostedQueue, HostRefusal } from './hosting.ts'
import type { HostOptions } from './options.ts'

const refused: HostRefusal = {
  status: 503,
  text: 'another server works on this repository now: ask again, and a balancer finds it',
  retryAfter: 1,
}

export function elsewhere({ ref, url, tests }: HostOptions): HostedQueue {
  const answer = (): Promise<{ readonly refused: HostRefusal }> => Promise.resolve({ refused })
  return {
    ref,
    testsItself: tests.kind !== 'external',
    cardOf: answer,
    open: answer,
    logOf: answer,
    seen: answer,
    commitOf: () => null,
    status: () => ({ url: withoutCredentials(url), lastLookAt: null, faults: [] }),
  }
}
