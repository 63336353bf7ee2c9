/**
 * Repeats a simulated run with real git and real test processes, command by command, and returns every
 * difference. The clock is stepped: it stands at the instant of the command.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import type {
  Command,
  EngineCommand,
  Event,
  QueueView,
  RecordedCommand,
  TestRun,
  TestRunId,
} from '../../../engine/index.ts'
import { type HostedQueue, queuesOf } from '../../../server/hosting/hosting.ts'
import { Hosts } from '../../../server/hosting/hosts.ts'
import { nameOfQueue } from '../../../server/identity/queue-ref.ts'
import type { ManagedQueue } from '../../../server/queues/managed-queue.ts'
import { QueueManager } from '../../../server/queues/queue-manager.ts'
import type { ReadReports } from '../../../server/runner/verdict.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { openStore } from '../../../server/store/store.ts'
import { runScenario } from '../../../sim/judge/run-scenario.ts'
import type { PullRequestEntry, Scenario } from '../../../sim/scenario/scenario.ts'
import type { PlannedRun } from '../../../sim/world/world.ts'
import { changeAgain, makeRepository } from '../repository.ts'
import { onlyCommand } from '../../../server/runner/command-runner.ts'

export type Rehearsal = {
  readonly run: RecordedRun
  readonly repository: string
  /** The data folder of the server, which has stopped. */
  readonly data: string
  readonly queue: ManagedQueue
  /** Where the real world went another way. */
  readonly differences: readonly string[]
}

const begin = Date.UTC(2026, 0, 5)
const ref = { host: 'local', owner: 'stage', name: 'shop', targetBranch: 'main' }
const name = nameOfQueue(ref)
const testCommand = 'node test.mjs'
/** Nothing happens in the repository by itself. */
const pollMs = 2 ** 30

/** Carries out a scenario in an empty folder. Rejects if the real world does not answer. */
export async function rehearse(
  folder: string,
  scenario: Scenario,
  readReports: ReadReports,
): Promise<Rehearsal> {
  const run = recordRun(scenario)
  const repository = join(folder, 'shop.git')
  const data = join(folder, 'data')
  await makeRepository(repository, run.entries)
  const logger = pino({ enabled: false })
  let now = begin
  const store = await openStore(dataFolder(data), {
    logger,
    keepDays: null,
    ports: { wakeAt: () => undefined },
    onFailure: (error) => differences.push(`the log: ${error.message}`),
  })
  const differences: string[] = []
  const answers = new HeldAnswers()
  const manager = new QueueManager(store.registry, { now: () => now, log: store.log })
  const hosts = await Hosts.open([optionsOf(folder, repository, run.scenario)], {
    logger,
    folder: data,
    now: () => now,
    readReports,
    hold: answers.hold,
    isStart: true,
    queues: queuesOf({
      registry: store.registry,
      durable: () => manager.durable(),
      subscribe: (subscriber) => manager.subscribe(subscriber),
      send: (queue, command) => {
        if (isUncalledFor(command)) differences.push(`the host sent ${command.type}`)
        // The simulated host reports nothing of this kind.
        if (command.type === 'reportPullRequest') return ignored
        return manager.send(queue, command)
      },
    }),
  })
  const [queue, hosted] = [store.registry.find(name), hosts.of(name)]
  if (!queue || !hosted) throw new Error('the queue is missing')
  writePlans(join(folder, 'rehearsal', 'plans'), run)
  try {
    for (const [index, step] of run.steps.entries()) {
      now = begin + step.command.at
      const command = await realCommand(step, { answers, hosted, queue, repository })
      const outcome = manager.send(name, command)
      const told = outcome.accepted ? outcome.events : null
      const difference = differenceOf(step, command, { told, queue: queue.engine.queue })
      if (difference !== null) {
        differences.push(`command ${index + 1}, ${command.type}: ${difference}`)
        break
      }
    }
  } finally {
    await hosts.close()
    await store.close()
  }
  return { run, repository, data, queue, differences }
}

const ignored = { accepted: true, at: 0, events: [], notices: [] } as const

/** Only what a repository without other people can cause, and a start, at which nothing is under way. */
function isUncalledFor(command: RecordedCommand): boolean {
  if (command.type === 'wake') return command.isLate !== true
  return !['createQueue', 'reportTip', 'reportPullRequest'].includes(command.type)
}

function optionsOf(folder: string, url: string, { queue = {} }: Scenario) {
  process.env['REHEARSAL'] = join(folder, 'rehearsal')
  const tests = { ...onlyCommand, kind: 'command', run: testCommand } as const
  const more = { junit: ['report.xml'], environment: ['REHEARSAL'], bind: [folder] }
  return {
    ref,
    url,
    set: { policy: 'documented' as const, ...queue },
    pollMs,
    tests: { ...tests, ...more },
  }
}

/** Flakes are drawn by the simulated world; what breaks is read from the files that are tested. */
function writePlans(folder: string, { plans }: RecordedRun): void {
  mkdirSync(folder, { recursive: true })
  for (const [run, { flakyTests, retriedTests }] of plans) {
    const plan = { fails: flakyTests !== null, tests: flakyTests ?? [], retried: retriedTests }
    writeFileSync(join(folder, `${run}.json`), JSON.stringify(plan))
  }
}

type World = {
  readonly answers: HeldAnswers
  readonly hosted: HostedQueue
  readonly queue: ManagedQueue
  readonly repository: string
}

/** The command of the simulation, with what the real world adds to it. */
async function realCommand(
  { command: { at: _at, ...command } }: RecordedStep,
  { answers, hosted, queue, repository }: World,
): Promise<EngineCommand> {
  if (command.type === 'submitPullRequest') {
    const { submission = 0, state } = queue.engine.queue.pullRequests[command.number] ?? {}
    // A change that is on the branch already is not merged again.
    if (state === 'MERGED') await changeAgain(repository, command.number, submission)
    const found = await hosted.snapshotOf(command.number)
    if ('refused' in found) throw new Error(found.refused.text)
    return { ...command, sha: found.value.head, card: found.value }
  }
  const isAnswer =
    command.type === 'finishTestRun' ||
    command.type === 'finishMerge' ||
    command.type === 'reportUnbuildable'
  if (!isAnswer) return command
  const answer = await answers.take(command)
  const isNameless =
    answer.type === 'finishTestRun' && answer.failedTests?.[0]?.name === testCommand
  return isNameless ? { ...answer, failedTests: [] } : answer
}

/** The real command must say the same, and the queue must do the same. */
function differenceOf(
  { command: { at: _at, ...simulated }, events }: RecordedStep,
  real: EngineCommand,
  { told, queue }: { readonly told: readonly Event[] | null; readonly queue: QueueView },
): string | null {
  if (told === null) return 'it was refused'
  const [said, expected] = [wordsOf(real, queue), wordsOf(simulated, queue)]
  if (!isDeepStrictEqual(said, expected)) {
    return `expected ${JSON.stringify(expected)}, got ${JSON.stringify(said)}`
  }
  const [done, wanted] = [textOf(told, begin), textOf(events, 0)]
  return done === wanted ? null : `expected ${wanted}, got ${done}`
}

const instants: ReadonlySet<string> = new Set([
  ...['wakeAt', 'heldUntil', 'startedAt', 'deadline', 'notBefore'],
])

/** Events as text, with instants from the beginning, names of tests in one order, and no head commits. */
function textOf(events: readonly Event[], from: number): string {
  return JSON.stringify(events, (key, value: unknown) => {
    if (key === 'sha') return undefined
    if (instants.has(key) && typeof value === 'number') return value - from
    const isNames = key === 'failedTests' || key === 'flakyTests'
    return isNames && Array.isArray(value)
      ? value.map((test) => JSON.stringify(test)).sort()
      : value
  })
}

/** What both sides must say about a run or a merge. */
function wordsOf(command: EngineCommand, queue: QueueView): unknown {
  if (command.type === 'finishTestRun') {
    const { testRun, outcome, failedTests = [], flakyTests = [] } = command
    const names = [failedTests, flakyTests].map((tests) => tests.map((test) => test.name).sort())
    return { testRun, outcome, names }
  }
  if (command.type === 'finishMerge') {
    const { number, numbers = [number], refused } = command
    return { numbers, refused }
  }
  if (command.type !== 'reportUnbuildable') return command.type
  const { testRun, number, conflictsWith } = command
  // What was below in the composition may be a part of the tip when the report comes.
  const isMerged = queue.pullRequests[Number(conflictsWith)]?.state === 'MERGED'
  return { testRun, number, conflictsWith: isMerged ? 'tip' : conflictsWith }
}

// A simulated run as a list of commands: what a real server is to repeat with real git and real tests.

type RecordedStep = { readonly command: Command; readonly events: readonly Event[] }

type RecordedRun = {
  readonly scenario: Scenario
  /** All pull requests, also generated ones, in the order of their first submission. */
  readonly entries: readonly PullRequestEntry[]
  readonly steps: readonly RecordedStep[]
  readonly plans: ReadonlyMap<TestRunId, PlannedRun>
  /** Merged commits whose exact tree no run had passed. */
  readonly unproven: number
}

/** What only a simulated world can do at an instant: pushes past the queue, and what a server forgets. */
const outOfReach: ReadonlySet<string> = new Set(['pushToBranch', 'manualMerge', 'forget'])

/** Simulates the scenario as git can carry it out: groups land whole, the build finds conflicts. */
export function recordRun({ faults: _faults, ...scenario }: Scenario): RecordedRun {
  const events = (scenario.events ?? []).filter((event) => !outOfReach.has(event.do))
  const codeHost = { landsGroups: true, conflictsFoundByBuild: true }
  const played: Scenario = { ...scenario, events, codeHost, tieOrder: 'submission' }
  const entries: PullRequestEntry[] = []
  const steps: RecordedStep[] = []
  const plans = new Map<TestRunId, PlannedRun>()
  const { result } = runScenario(played, {
    isUnhashed: true,
    onSubmission: (entry) => entries.push(entry),
    onRunPlanned: ({ id }: TestRun, planned) => plans.set(id, planned),
    observers: [
      () =>
        ({ command, events: told }) =>
          steps.push({ command, events: [...told] }),
    ],
  })
  const { batchMiddle, optimistic, disjointTargets, direct } = result.figures.totals.unprovenMerges
  const unproven = batchMiddle + optimistic + disjointTargets + direct
  return { scenario: played, entries, steps, plans, unproven }
}

// The answers of the real world, held until the simulated run has reached them. So real processes may
// end in any order, and the queue receives them in the order of the simulation.

const mostMs = 60_000

class HeldAnswers {
  readonly #held = new Map<string, EngineCommand>()
  readonly #waiting = new Map<string, (command: EngineCommand) => void>()
  /** The last answer that was taken about each run or merge. */
  readonly #taken = new Map<string, EngineCommand>()

  /** Keeps an answer, or hands it to its waiter. */
  readonly hold = (command: EngineCommand): void => {
    const key = keyOf(command)
    // The reconciler repeats an answer until the queue has received it.
    if (isDeepStrictEqual(command, this.#taken.get(key))) return
    const wake = this.#waiting.get(key)
    this.#waiting.delete(key)
    if (wake) wake(command)
    else this.#held.set(key, command)
  }

  /** Settles with the answer about the same run or merge; rejects if it does not come. */
  async take(command: EngineCommand): Promise<EngineCommand> {
    const key = keyOf(command)
    const answer = await this.#next(key)
    this.#taken.set(key, answer)
    return answer
  }

  #next(key: string): Promise<EngineCommand> {
    const held = this.#held.get(key)
    this.#held.delete(key)
    if (held) return Promise.resolve(held)
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new Error(`no answer about ${key} within ${mostMs / 1_000} s`))
      }, mostMs)
      this.#waiting.set(key, (answer) => {
        clearTimeout(late)
        resolve(answer)
      })
    })
  }
}

function keyOf(command: EngineCommand): string {
  if (command.type === 'finishMerge') return `merge ${command.number}`
  const isOfRun = command.type === 'finishTestRun' || command.type === 'reportUnbuildable'
  if (isOfRun) return `run ${command.testRun}`
  throw new Error(`${command.type} is no answer`)
}
