/** What is said of a pull request on the host of a test, wherever somebody can ask. */

import { expect } from 'vitest'
import type * as wire from '../../../server/contract/wire.ts'
import type { ForgeWorld } from '../../../server/forge/testing/forge-world.ts'
import { views } from '../../../server/page/view.ts'
import { Client, Contract } from '../../../server/testing/client.ts'
import { CliFolder } from './cli-folder.ts'

const main = { repo: { host: 'local', owner: 'acme', name: 'shop' }, targetBranch: 'main' }

/** Pauses the queue, or lets it go on. */
export async function setState(world: Said, state: 'PAUSED' | 'RUNNING'): Promise<void> {
  await clientOf(world).ok('updateQueue', { ...main, state })
}

/** A plain repository has no comments. */
type Said = Pick<ForgeWorld, 'queue'> & Partial<Pick<ForgeWorld, 'said'>>

const clientOf = ({ queue }: Said) => new Client(queue.server.url, 'secret', new Contract())

/** Settles when the sentence is in the API, on the command line and on the page, and `comment` on the host. */
export async function expectSaid(
  world: Said,
  number: number,
  { sentence, comment = [] }: { readonly sentence: string; readonly comment?: readonly string[] },
): Promise<void> {
  const { queue } = world
  const client = clientOf(world)
  const asked = { ...main, pr: { number }, includeWhy: true }
  const api = async () =>
    (await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', asked)).why?.sentence
  await expect.poll(api).toBe(sentence)
  const cli = new CliFolder()
  const place = ['--url', queue.server.url, '--token', 'secret']
  const { out } = await cli.run(['why', `${number}`, ...place, '--queue', 'local/acme/shop:main'])
  cli.remove()
  expect(out).toContain(`\n${sentence}\n`)
  const [managed] = [...queue.server.manager.registry.queues]
  const pull = managed?.engine.queue.pullRequests[number]
  if (!managed || !pull) throw new Error(`${number} is not there`)
  const { row, ended } = views.member
  const parts = { estimateOf: () => null, hosting: queue.server.hosts }
  expect((ended(managed, pull) ?? row(managed, pull, parts)).why).toBe(sentence)
  for (const words of comment) {
    await expect.poll(() => world.said?.(number).join('\n')).toContain(words)
  }
}
