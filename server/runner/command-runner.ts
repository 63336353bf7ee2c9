/**
 * Tests commits with a command on this machine. A run takes a free slot; the queue bounds how many runs
 * there are. The deadline of a run is the queue's: it cancels.
 */

import { mkdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ownerOf } from '../faults/owners.ts'
import { GitFailed } from '../git/git.ts'
import { viewOf, type Surroundings } from './bubblewrap.ts'
import { environmentOf, type RunOfCommand } from './environment.ts'
import { limitsWith, RunWatcher, type Limits, type Ticks } from './limits.ts'
import { killRunsIn, startGroup, type ProcessGroup } from './process-group.ts'
import { type LogFile, RunLogs } from './run-logs.ts'
import { Slot, type SlotOptions } from './slot.ts'
import { isNearlyFull } from './room.ts'
import { removeLeftovers, SlotStuck } from './slot-files.ts'
import {
  errored,
  overLimit,
  verdictOf,
  type Exit,
  type ReadReports,
  type Reports,
  type Verdict,
} from './verdict.ts'

/** How a test command is run. */
export type TestSettings = Surroundings &
  Pick<SlotOptions, 'keep' | 'setup' | 'setupWhen'> & {
    /** Where the command writes JUnit reports. */
    readonly junit: readonly string[]
    /** Names of variables that it gets from the environment of the server. */
    readonly environment: readonly string[]
    readonly limits?: Partial<Limits>
  }

type InSlots = TestSettings & Pick<SlotOptions, 'origin' | 'fewestCarried' | 'fileTime'>

export type RunnerOptions = InSlots & {
  /** The folder of the slots. */
  readonly slots: string
  /** The folder of the logs. */
  readonly logs: string
  /** The bare repository that has the commits. */
  readonly mirror: string
  readonly command: string
  readonly readReports: ReadReports
  /** When the usage of the runs is sampled. Default: each second. */
  readonly ticks?: Ticks
  /** From SIGTERM to SIGKILL. */
  readonly graceMs?: number
  /** Called with words about a slot that cannot be emptied, once for each. */
  readonly onSlotFault?: (words: string) => void
  /** How much the logs of runs may take. Default: 2 GiB. */
  readonly mostLogBytes?: number
  /** With less, nothing is tested: it would fail without being to blame. Default: 1 GiB. */
  readonly leastFreeBytes?: number
}

/** Neither a setup nor reports, and nothing stays between runs. */
export const onlyCommand = {
  setup: null,
  setupWhen: [],
  junit: [],
  keep: [],
  environment: [],
} as const

export type CommandRun = RunOfCommand & {
  readonly commit: string
  /** The text of a `packed-refs` file with the branches and tags of its repository. Default: it has none. */
  readonly packedRefs?: () => Promise<string>
}

type RunUnderWay = { isCancelled: boolean; group: ProcessGroup | null; done: Promise<unknown> }

/** As a function, because it changes while others are awaited. */
const isCancelled = (run: RunUnderWay): boolean => run.isCancelled

const noTests: Reports = { failed: [], flaky: [] }
const defaultGraceMs = 10_000
const setupTries = 2

export class CommandRunner {
  readonly #options: RunnerOptions
  readonly #busy = new Set<number>()
  readonly #slots = new Map<number, Slot>()
  /** Slots that cannot be emptied: others are used. */
  readonly #stuck = new Set<number>()
  readonly #runs = new Map<string, RunUnderWay>()
  readonly #watcher: RunWatcher
  readonly #logs: RunLogs
  readonly #swept: Promise<void>

  /** Kills and removes what an earlier server has left. */
  constructor(options: RunnerOptions) {
    // A command runs in another folder, where a relative path means something else; and in a namespace, in
    // which a link leads nowhere.
    mkdirSync(options.slots, { recursive: true })
    mkdirSync(options.logs, { recursive: true })
    const slots = realpathSync(options.slots)
    const logs = resolve(options.logs)
    const mirror = realpathSync(options.mirror)
    this.#options = { ...options, slots, logs, mirror }
    this.#watcher = new RunWatcher(options.ticks)
    this.#logs = new RunLogs(logs, options.mostLogBytes)
    killRunsIn(slots)
    this.#swept = this.#sweep(slots)
  }

  /** Settles with the verdict; null if the run was cancelled. Rejects with a fault of the machine. */
  async test(run: CommandRun): Promise<Verdict | null> {
    const log = this.#logs.open(run.id)
    const underWay: RunUnderWay = { isCancelled: false, group: null, done: Promise.resolve() }
    this.#runs.set(run.id, underWay)
    const work = this.#inSlot(run, underWay, log).finally(() => {
      this.#logs.close(run.id, log)
      this.#runs.delete(run.id)
    })
    underWay.done = work.catch(() => undefined)
    return work
  }

  cancel(id: string): void {
    const run = this.#runs.get(id)
    if (!run) return
    run.isCancelled = true
    run.group?.end()
  }

  /** The path of the log of a run. */
  logOf(id: string): string {
    return this.#logs.pathOf(id)
  }

  /** Cancels all runs; settles when nothing of them is left. */
  async close(): Promise<void> {
    const runs = [...this.#runs]
    for (const [id] of runs) this.cancel(id)
    await Promise.all([this.#swept, this.#logs.settled(), ...runs.map(([, { done }]) => done)])
    const { slots, leastFreeBytes: least } = this.#options
    // They may be what fills the disk, on which the next start needs room.
    if (isNearlyFull(slots, least)) await removeLeftovers(slots, { all: true })
  }

  async #sweep(slots: string): Promise<void> {
    for (const words of await removeLeftovers(slots)) this.#options.onSlotFault?.(words)
  }

  /** Works in the first free slot that can be emptied. */
  async #inSlot(run: CommandRun, underWay: RunUnderWay, log: LogFile): Promise<Verdict | null> {
    this.#refuseFullDisk(log)
    const packedRefs = await run.packedRefs?.()
    for (;;) {
      const index = this.#takeSlot()
      const slot = this.#slotAt(index)
      try {
        await slot.reset(run.commit, packedRefs)
        return await this.#work(run, { underWay, slot, log })
      } catch (error) {
        const failed = ofCommit(error)
        if (failed) log.say(`${failed.outcome}: ${failed.words}`)
        if (failed) return failed
        if (!isOfSlot(error)) throw error
        this.#stuck.add(index)
        this.#options.onSlotFault?.(
          `slot ${index} cannot be emptied, so another one takes its place: ${error.message}`,
        )
      } finally {
        this.#busy.delete(index)
      }
    }
  }

  async #work(run: CommandRun, at: Place): Promise<Verdict | null> {
    const { underWay, slot, log } = at
    const { command } = this.#options
    if (isCancelled(underWay)) return null
    const fault = await this.#setUp(run, at)
    if (isCancelled(underWay)) return null
    if (fault) {
      await this.#refuseFilledDisk(at)
      log.say(`${fault.outcome}: ${fault.words}`)
      return fault
    }
    log.say(`$ ${command}`)
    const exit = await this.#run(command, run, at)
    if (isCancelled(underWay)) return null
    const reports = await this.#reports(slot, log)
    if (isCancelled(underWay)) return null
    const verdict = verdictOf(exit, reports, command)
    if (verdict.outcome !== 'passed') await this.#refuseFilledDisk(at)
    log.say(`${verdict.outcome}: ${verdict.words}`)
    return verdict
  }

  /** A report that cannot be read names no test; the exit code decides without it. */
  async #reports({ folder }: Slot, log: LogFile): Promise<Reports> {
    const { junit, readReports } = this.#options
    try {
      if (junit.length === 0) return noTests
      const reports = await readReports(folder, junit)
      for (const words of reports.unread ?? []) log.say(words)
      return reports
    } catch (error) {
      log.say(`the reports cannot be read: ${String(error)}`)
    }
    return noTests
  }

  /** It may have failed because of a full disk. What it wrote itself is removed, so that others have room. */
  async #refuseFilledDisk({ slot, log }: Place): Promise<void> {
    try {
      this.#refuseFullDisk(log)
    } catch (error) {
      await slot.clear().catch((fault: unknown) => {
        // The next run finds that the slot is stuck, and says it.
        if (!isOfSlot(fault)) throw fault
      })
      throw error
    }
  }

  /** A full disk is a fault of the machine: the run waits until there is room. */
  #refuseFullDisk(log: LogFile): void {
    const { slots, leastFreeBytes: least } = this.#options
    if (!isNearlyFull(slots, least)) return
    const words =
      'too little of the disk is free for a test run: make room, at least 1 GiB and 1 % of its inodes'
    log.say(words)
    throw new Error(words)
  }

  /** Runs the setup if its inputs have changed. Returns a verdict if it cannot succeed. */
  async #setUp(run: CommandRun, at: Place): Promise<Verdict | null> {
    const { setup } = this.#options
    if (setup === null || !at.slot.needsSetup) return null
    if (at.slot.hasUnknownInputs) {
      at.log.say('the setup runs each time: no lock file is there, and nothing of --setup-when')
    }
    for (let tries = 0; tries < setupTries; tries++) {
      at.log.say(`$ ${setup}`)
      const { code, limit = null } = await this.#run(setup, run, at)
      if (isCancelled(at.underWay)) return null
      if (limit !== null) return overLimit(limit, setup)
      if (!at.slot.isWhole) return errored('the setup command has removed the folders of the run')
      if (code !== 0) continue
      await at.slot.noteSetup()
      return null
    }
    return errored(`the setup command failed ${setupTries} times`)
  }

  #run(text: string, run: CommandRun, { underWay, slot, log }: Place): Promise<Exit> {
    const { environment, mirror, graceMs = defaultGraceMs, limits } = this.#options
    const env = environmentOf(run, slot.home, environment)
    const onOutput = (data: Buffer): void => log.write(data)
    const place = { folder: slot.folder, env, view: viewOf(this.#options, mirror) }
    const group = startGroup(
      { text, ...place, onOutput, limits: limitsWith(limits) },
      graceMs,
      this.#watcher,
    )
    underWay.group = group
    return group.ended
  }

  #takeSlot(): number {
    let index = 0
    while (this.#busy.has(index) || this.#stuck.has(index)) index++
    this.#busy.add(index)
    return index
  }

  #slotAt(index: number): Slot {
    const { slots, onSlotFault: onLeftover } = this.#options
    const path = join(slots, String(index))
    const more = onLeftover ? { onLeftover } : {}
    const slot = this.#slots.get(index) ?? new Slot(path, { ...this.#options, ...more })
    this.#slots.set(index, slot)
    return slot
  }
}

/** The verdict about a commit whose files no machine can write; null: the fault says nothing about it. */
function ofCommit(fault: unknown): Verdict | null {
  if (!(fault instanceof GitFailed)) return null
  const { message: words } = fault
  if (ownerOf({ attempt: 'checkout', words }) !== 'pull request') return null
  return { outcome: 'failed', failedTests: [{ name: 'git checkout' }], flakyTests: [], words }
}

function isOfSlot(fault: unknown): fault is SlotStuck {
  if (!(fault instanceof SlotStuck)) return false
  return ownerOf({ attempt: 'slot', words: fault.message }) === 'slot'
}

type Place = { readonly underWay: RunUnderWay; readonly slot: Slot; readonly log: LogFile }
