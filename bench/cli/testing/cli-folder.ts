/** Runs commands for tests, each test file in a separate empty folder. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { expect } from 'vitest'
import { runCommand } from '../commands.ts'
import type * as wire from '../../../server/contract/wire.ts'
import type { ForgeWorld } from '../../../server/forge/testing/forge-world.ts'
import { views } from '../../../server/page/view.ts'
import { Client, Contract } from '../../../server/testing/client.ts'

export type Output = { readonly code: number; readonly out: string; readonly err: string }

export const widest = (lines: readonly string[]): number =>
  Math.max(...lines.map(({ length }) => length))

/** An empty folder to run commands in. Call `remove` at the end. */
export class CliFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))

  /** Runs a command in this process. Aborting `signal` has the effect of Ctrl-C. `width`: that of a terminal. */
  async run(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    signal: AbortSignal = new AbortController().signal,
    width: number | null = null,
  ): Promise<Output> {
    const stdout = Object.assign(new PassThrough(), width === null ? {} : { columns: width })
    const stderr = new PassThrough()
    const texts = Promise.all([textOf(stdout), textOf(stderr)])
    const context = { stdout, stderr, signal, env: { INIT_CWD: this.path, ...env } }
    const code = await runCommand(args, context)
    stdout.end()
    stderr.end()
    const [out, err] = await texts
    return { code, out, err }
  }

  /** The lines that a command writes into a terminal of so many columns. */
  async shownIn(width: number, args: readonly string[]): Promise<string[]> {
    return (await this.run(args, {}, undefined, width)).out.split('\n')
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8')
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text)
  }

  remove(): void {
    rmSync(this.path, { recursive: true })
  }
}

// What is said of a pull request on the host of a test, wherever somebody can ask.

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
  const parts = { estimateOf: () => null, hosting: queue.server.hosts }
  expect(views.member.row(managed, pull, parts).why).toBe(sentence)
  for (const words of comment) {
    await expect.poll(() => world.said?.(number).join('\n')).toContain(words)
  }
}
