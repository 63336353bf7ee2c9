/**
 * Tests commits with a command on this machine. A run takes a free slot; the queue bounds how many runs
 * there are. The deadline of a run is the queue's: it cancels.
 */

import { mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { environmentOf, type RunOfCommand } from './environment.ts'
import { LogFile } from './log-file.ts'
import { killRunsIn, startGroup, type ProcessGroup } from './process-group.ts'
import { Slot } from './slot.ts'
import { errored, verdictOf, type Exit, type ReadReports, type Verdict } from './verdict.ts'

export type RunnerOptions = {
  /** The folder of the slots. */
  readonly slots: string
  /** The folder of the logs. */
  readonly logs: string
  /** The bare repository that has the commits. */
  readonly mirror: string
  readonly command: string
  readonly setup: string | null
  readonly setupWhen: readonly string[]
  readonly junit: readonly string[]
  readonly keep: readonly string[]
  readonly environment: readonly string[]
  readonly readReports: ReadReports
  /** From SIGTERM to SIGKILL. */
  readonly graceMs?: number
}

export type CommandRun = RunOfCommand & { readonly commit: string }

type RunUnderWay = { isCancelled: boolean; group: ProcessGroup | null; done: Promise<unknown> }

/** As a function, because it changes while others are awaited. */
const isCancelled = (run: RunUnderWay): boolean => run.isCancelled

const leastFreeBytes = 1 << 30
const defaultGraceMs = 10_000
const setupTries = 2

export class CommandRunner {
  readonly #options: RunnerOptions
  readonly #busy = new Set<number>()
  readonly #runs = new Map<string, RunUnderWay>()

  /** Kills what an earlier server has left. */
  constructor(options: RunnerOptions) {
    this.#options = options
    mkdirSync(options.slots, { recursive: true })
    mkdirSync(options.logs, { recursive: true })
    killRunsIn(options.slots)
  }

  /** Settles with the verdict; null if the run was cancelled. Rejects with a fault of the machine. */
  async test(run: CommandRun): Promise<Verdict | null> {
    const underWay: RunUnderWay = { isCancelled: false, group: null, done: Promise.resolve() }
    this.#runs.set(run.id, underWay)
    const slot = this.#takeSlot()
    const log = new LogFile(this.logOf(run.id))
    const work = this.#work(run, { underWay, slot: this.#slotAt(slot), log }).finally(() => {
      log.close()
      this.#busy.delete(slot)
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
    return join(this.#options.logs, `${id}.log`)
  }

  /** Cancels all runs; settles when nothing of them is left. */
  async close(): Promise<void> {
    const runs = [...this.#runs]
    for (const [id] of runs) this.cancel(id)
    await Promise.all(runs.map(([, { done }]) => done))
  }

  async #work(run: CommandRun, at: Place): Promise<Verdict | null> {
    const { underWay, slot, log } = at
    const { slots, junit, readReports, command } = this.#options
    if (freeBytes(slots) < leastFreeBytes) return errored('less than 1 GiB of the disk is free')
    await slot.reset(run.commit)
    if (isCancelled(underWay)) return null
    const fault = await this.#setUp(run, at)
    if (isCancelled(underWay)) return null
    if (fault) return fault
    log.write(`$ ${command}\n`)
    const exit = await this.#run(command, run, at)
    if (isCancelled(underWay)) return null
    const reports = junit.length > 0 ? readReports(slot.folder, junit) : { failed: [], flaky: [] }
    const verdict = verdictOf(exit, reports, command)
    log.write(`${verdict.outcome}: ${verdict.words}\n`)
    return verdict
  }

  /** Runs the setup if its inputs have changed. Returns a verdict if it cannot succeed. */
  async #setUp(run: CommandRun, at: Place): Promise<Verdict | null> {
    const { setup } = this.#options
    if (setup === null || !at.slot.needsSetup) return null
    at.slot.setupBegins()
    for (let tries = 0; tries < setupTries; tries++) {
      at.log.write(`$ ${setup}\n`)
      const { code } = await this.#run(setup, run, at)
      if (isCancelled(at.underWay)) return null
      if (code !== 0) continue
      at.slot.setupSucceeded()
      return null
    }
    return errored(`the setup command failed ${setupTries} times`)
  }

  #run(text: string, run: CommandRun, { underWay, slot, log }: Place): Promise<Exit> {
    const { environment, graceMs = defaultGraceMs } = this.#options
    const env = environmentOf(run, slot.home, environment)
    const onOutput = (data: Buffer): void => log.write(data)
    const group = startGroup({ text, folder: slot.folder, env, onOutput }, graceMs)
    underWay.group = group
    return group.ended
  }

  #takeSlot(): number {
    let index = 0
    while (this.#busy.has(index)) index++
    this.#busy.add(index)
    return index
  }

  #slotAt(index: number): Slot {
    const { slots, mirror, keep, setupWhen } = this.#options
    return new Slot(join(slots, String(index)), { mirror, keep, setupWhen })
  }
}

type Place = { readonly underWay: RunUnderWay; readonly slot: Slot; readonly log: LogFile }

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
