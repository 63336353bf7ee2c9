/** One pull request on a fake host, to which people do things: each step is one poll of the server, without a network. */

import { onTestFinished, vi } from 'vitest'
import type { RecordedSettings } from '../../../engine/index.ts'
import { github } from '../../github/testing/fake-github.ts'
import { CodeHostFailed } from '../rest.ts'
import { written } from './acts.ts'
import { label } from './code-host-world.ts'
import type { FakeDialect } from './dialect.ts'
import { SimulatedHost } from './simulated-host.ts'
import { change, noteBranch, openedPull } from './state.ts'

type Played = {
  /** Default: GitHub. */
  readonly kind?: FakeDialect
  readonly state: 'PAUSED' | 'RUNNING'
  /** False: the host does not merge, or writes no status or label. */
  readonly isThere: (what: string) => boolean
  readonly set?: RecordedSettings
  /** False: its tests fail. */
  readonly passes?: boolean
  /** False: the host answers nothing that a landing asks. */
  readonly lands?: (what: string) => boolean
  /** The target branches of all queues of the repository. */
  readonly branches?: readonly string[]
  /** Called before each request is answered. */
  readonly onRequest?: (what: string) => void
}

/** A queue with one pull request, which somebody with the right labels. */
export async function labelled({ state: is, isThere, set, ...more }: Played) {
  const { kind = github, passes = true, lands = () => true, branches, onRequest } = more
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const landed: string[] = []
  let isLanding = false
  const host = new SimulatedHost({
    kind,
    clockAheadMs: 0,
    branches,
    set: { mergeMethod: 'squash', state: is, ...set },
    before: (what) => {
      onRequest?.(what)
      if (/\/(?:merge|statuses|labels)\b/.test(what) && !isThere(what))
        throw new CodeHostFailed('away', 502)
      if (isLanding && !lands(what)) throw new CodeHostFailed('away', 502)
      return undefined
    },
    onLanding: () => void (isLanding = true),
    onLanded: (head) => landed.push(head),
    passes: () => passes,
  })
  const wait = (ms: number): void => {
    host.clock += ms
    vi.setSystemTime(host.clock)
  }
  const { state } = host
  const pull = openedPull(state, { number: 7, head: 'a'.repeat(40) })
  wait(0)
  await host.pass()
  const actions = {
    label: () => change(state, pull, { labels: [label], by: 'ada' }),
    labelAsStranger: () => change(state, pull, { labels: [label], by: 'eve' }),
    push: () => {
      noteBranch(state, pull, { after: 'b'.repeat(40), isForced: true })
      change(state, pull, { head: 'b'.repeat(40), by: 'bob' })
    },
    retarget: () => change(state, pull, { base: 'release', by: 'ada' }),
    close: () => change(state, pull, { state: 'closed', by: 'bob' }),
    closeAndReopen: () => {
      change(state, pull, { state: 'closed', by: 'bob' })
      change(state, pull, { state: 'open', by: 'bob' })
    },
    unlabel: () => change(state, pull, { labels: [], by: 'ada' }),
    ask: () => void written(state, 7, '/merge', 'ada'),
    askAsStranger: () => void written(state, 7, '/enqueue', 'eve'),
    retry: () => void written(state, 7, '/retry', 'ada'),
    cancel: () => void written(state, 7, '/cancel', 'ada'),
  }
  /** Each action after so many seconds, and then one poll of the server. */
  const play = async (seconds: number, ...names: readonly (keyof typeof actions)[]) => {
    for (const name of names) {
      wait(seconds * 1_000)
      actions[name]()
    }
    wait(seconds * 1_000)
    isLanding = false
    await host.pass()
    return host.queue.pullRequests[7]?.state
  }
  const { faults } = host.fake
  return { play, act: actions, landed, pull, state, host, wait, faults }
}
