/**
 * A server as a process of its own, whose queue holds a story: the test that started it kills it by its effects.
 * Arguments: what to do, the data folder, the program that counts durable commands, a file, and as JSON what the story
 * says about its queue. `poll` ends when the repository was seen, `enter` when all pull requests are in the queue, which
 * is PAUSED, and `merge` when nobody is in it and the file is there.
 */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { isTerminal, type PullRequestView } from '../../../engine/index.ts'
import { nameOfQueue } from '../../identity/queue-ref.ts'
import { crashQueue, crashChanges, type CrashStory } from './crash-story.ts'
import { endWhenStuck, startHosting } from './hosted-server.ts'

const [what = '', data = '', count = '', file = '', given = ''] = process.argv.slice(2)
const { set, github, ...host }: CrashStory = JSON.parse(given)
const token = (): string => process.env['MERGEYARD_GITHUB_TOKEN'] ?? ''
const place = { kind: 'github', owner: 'acme', name: 'shop', webhookSecrets: [] } as const
const auth = { kind: 'token', token } as const
const queue = {
  ...crashQueue,
  ...host,
  set: { ...crashQueue.set, ...set, state: 'PAUSED' } as const,
  ...(github === undefined ? {} : { codeHost: { ...place, auth, api: github } }),
}
let seen = (): unknown => 'its server does not start'
endWhenStuck(() => seen())
const server = await startHosting(data, [queue], {
  codeHost: {
    pace: { isThrottled: false, retryAfterMs: 1 },
    intervals: { gapMs: 0, againMs: 1 },
  },
})
server.manager.subscribe(() => void spawnSync(count, [String(process.pid)]))

const name = nameOfQueue(crashQueue.ref)
const managed = () => server.manager.registry.find(name)
if (what === 'merge' && managed()?.engine.queue.state === 'PAUSED') {
  server.manager.send(name, { type: 'updateQueue', set: { state: 'RUNNING' } })
}

const pullRequests = (): PullRequestView[] =>
  Object.values(managed()?.engine.queue.pullRequests ?? {})

seen = () => {
  const { state, testRuns = {} } = managed()?.engine.queue ?? {}
  const pulls = pullRequests().map((pull) => `${pull.number} ${pull.state}`)
  const { faults, lastLookAt } = server.hosts.of(name)?.status() ?? {}
  return { state, pulls, runs: Object.keys(testRuns), isTold: existsSync(file), faults, lastLookAt }
}

function isOver(): boolean {
  if (what === 'poll') return (managed()?.history.tips.size ?? 0) > 0
  const all = pullRequests()
  if (all.length < crashChanges.length) return false
  return what === 'enter' || (all.every(({ state }) => isTerminal(state)) && existsSync(file))
}

while (!isOver()) await wait(20)
await server.stop()
const states = pullRequests().map(({ number, state, reason }): [number, string] => [
  number,
  state === 'FAILED' ? `FAILED ${reason}` : state,
])
process.stdout.write(JSON.stringify(Object.fromEntries(states)))
