/** Plays a scenario on a real repository: a real server, real git, and the tests of the rehearsal. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { git } from '../../server/git/git.ts'
import { type Event, type PullRequestView, type QueueView, isTerminal } from '../../engine/index.ts'
import { serverDefaults } from '../../server/server-defaults.ts'
import { dependsOnOf } from '../../server/hosting/depending.ts'
import type { HostOptions } from '../../server/hosting/options.ts'
import { nameOfQueue } from '../../server/identity/queue-ref.ts'
import type { ReadReports } from '../../server/runner/verdict.ts'
import { type RunningServer, type ServerPorts, startServer } from '../../server/server.ts'
import { submission } from '../../sim/run/schedule.ts'
import type { PullRequestEntry, Scenario } from '../../sim/scenario/scenario.ts'
import type { InputFault } from '../../server/terminal/bad-input.ts'
import { onlyCommand } from '../../server/runner/command-runner.ts'
import { makeRepository } from './repository.ts'

// What became of a rehearsal, read from git alone.

type LandedCommit = { readonly commit: string; readonly numbers: readonly number[] }

/** The commits on the target branch, oldest first, with the pull requests that they name. */
export async function landedIn(repository: string): Promise<LandedCommit[]> {
  const format = '--format=%H%x00%(trailers:key=Mergeyard-Pull,valueonly,separator=%x2C)'
  const log = ['log', '--first-parent', '--reverse', format, 'main']
  const lines = (await git(['--git-dir', repository, ...log])).trim().split('\n')
  return lines.map((line) => {
    const [commit = '', numbers = ''] = line.split('\0')
    return { commit, numbers: numbers === '' ? [] : numbers.split(',').map(Number) }
  })
}

/** The commits on which the tests fail; the tests run as a person would run them, in a clone. */
export async function brokenCommits(
  folder: string,
  repository: string,
  commits: readonly string[],
): Promise<string[]> {
  const clone = mkdtempSync(join(folder, 'clone-'))
  await git(['clone', '--quiet', repository, clone])
  const broken: string[] = []
  for (const commit of commits) {
    await git(['-C', clone, 'checkout', '--quiet', '--force', commit])
    if (!passes(clone)) broken.push(commit)
  }
  rmSync(clone, { recursive: true })
  return broken
}

function passes(folder: string): boolean {
  const env = { PATH: process.env['PATH'] }
  return spawnSync('node', ['test.mjs'], { cwd: folder, stdio: 'ignore', env }).status === 0
}

/** What the server has left behind in the repository: test branches. */
export async function leftBehind(repository: string): Promise<string[]> {
  const refs = await git(['--git-dir', repository, 'for-each-ref', '--format=%(refname)'])
  return refs.split('\n').filter((ref) => ref.startsWith('refs/heads/mergeyard/'))
}

export type Rehearsal = {
  /** The folder of everything. */
  readonly folder: string
  readonly repository: string
  readonly server: RunningServer
  readonly name: string
}

type RunningQueue = Pick<Rehearsal, 'server' | 'name'>

type RehearsalOptions = {
  readonly readReports: ReadReports
  /** Called for the events of each durable command. */
  readonly onEvents?: (events: readonly Event[]) => void
  /** How long a test run takes at least, in milliseconds. */
  readonly testMs?: number
}

const pollMs = 1_000

/** Makes the repository, and starts a server that works on it. The queue is PAUSED. */
export async function openRehearsal(
  folder: string,
  scenario: Scenario,
  { readReports, onEvents, testMs = 0 }: RehearsalOptions,
): Promise<Rehearsal> {
  const repository = join(folder, 'shop.git')
  const ref = { host: 'local', owner: 'stage', name: 'shop', targetBranch: 'main' }
  await makeRepository(repository, scenario.pullRequests ?? [])
  const run = `REHEARSAL="${join(folder, 'rehearsal')}" REHEARSAL_MS=${testMs} node test.mjs`
  const more = { junit: ['report.xml'], bind: [folder] }
  const host = {
    ref,
    url: repository,
    set: { ...scenario.queue, state: 'PAUSED' as const },
    pollMs,
    tests: { ...onlyCommand, kind: 'command' as const, run, ...more },
  }
  const server = await startQuietly(join(folder, 'data'), host, { readReports })
  server.manager.subscribe(({ events }) => onEvents?.(events))
  return { folder, repository, server, name: nameOfQueue(ref) }
}

/** Starts a server that works on one repository, and logs nothing. */
export function startQuietly(
  data: string,
  host: HostOptions,
  ports: Pick<ServerPorts, 'codeHost' | 'readReports'>,
): Promise<RunningServer> {
  return startServer(
    { ...serverDefaults, port: 0, data, token: 'stage', hosting: [host] },
    {
      logger: pino({ enabled: false }),
      onFirstToken: () => undefined,
      onFailure: () => undefined,
      ...ports,
    },
  )
}

export async function submitAll(
  { server, name }: Rehearsal,
  entries: readonly PullRequestEntry[],
): Promise<void> {
  const hosted = server.hosts.of(name)
  for (const entry of entries) {
    const { number } = entry
    const found = await hosted?.snapshotOf(number, entry.dependsOn)
    if (!found || 'refused' in found) throw new Error(`pull request ${number} cannot be read`)
    const { value: snapshot } = found
    for (const command of submission(entry)) {
      if (command.type === 'submitPullRequest') {
        server.manager.send(name, {
          ...command,
          sha: snapshot.head,
          card: snapshot,
          ...dependsOnOf(snapshot),
        })
      } else if (command.type === 'setImpactedTargets') server.manager.send(name, command)
    }
  }
}

export function resume({ server, name }: Rehearsal): void {
  server.manager.send(name, { type: 'updateQueue', set: { state: 'RUNNING' } })
}

export function queueOf({ server, name }: RunningQueue): QueueView {
  const queue = server.manager.registry.find(name)
  if (!queue) throw new Error(`${name} is missing`)
  return queue.engine.queue
}

/** Settles when so many pull requests have come and left the queue; rejects after the given time. */
export async function untilOver(
  rehearsal: RunningQueue,
  count: number,
  mostMs: number,
): Promise<void> {
  const { server, name } = rehearsal
  const ended = (): PullRequestView[] =>
    Object.values(queueOf(rehearsal).pullRequests).filter(({ state }) => isTerminal(state))
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      const { faults = [] } = server.hosts.of(name)?.status() ?? {}
      const left = `after ${mostMs / 1_000} s only ${ended().length} of ${count} have left the queue`
      reject(new Error([left, ...faults].join(': ')))
    }, mostMs)
    const check = (): void => {
      if (ended().length < count) return
      clearTimeout(late)
      resolve()
    }
    server.manager.subscribe(check)
    check()
  })
}

// Which scenarios can be played on a real repository: those that say nothing about time.

/** What keeps the scenario from being played; none if it can be. */
export function notPlayable(scenario: Scenario): InputFault[] {
  const { pullRequests = [] } = scenario
  const parts = ['traffic', 'events', 'resubmit', 'faults', 'suiteFlakes'] as const
  const timed = pullRequests.findIndex(({ at = 0 }) => at > 0)
  const drawn = pullRequests.findIndex(({ flakeRate = 0 }) => flakeRate > 0)
  return [
    ...parts
      .filter((part) => scenario[part] !== undefined)
      .map((part) => fault(`/${part}`, 'nothing: real git has no simulated time and faults', part)),
    ...(timed < 0
      ? []
      : [fault(`/pullRequests/${timed}/at`, 'nothing: all are submitted at once', 'a time')]),
    ...(drawn < 0
      ? []
      : [fault(`/pullRequests/${drawn}/flakeRate`, 'flakyRuns, which name runs', 'a rate')]),
    ...(pullRequests.length > 0 ? [] : [fault('/pullRequests', 'pull requests', 'none')]),
  ]
}

function fault(where: string, expected: string, actual: string): InputFault {
  return { where, expected, actual }
}
