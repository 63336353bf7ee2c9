/**
 * What a run may use of the machine: processes, memory and disk. A run that uses more is ended, and its
 * verdict names the limit. Usage is sampled, so for a moment it can be more; a bomb of processes is stopped
 * by the kernel, except for root, whom it does not count.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { statfsSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { textAt } from '../terminal/files.ts'
import { processIds, statOf } from '../terminal/processes.ts'
import { count } from '../terminal/text.ts'
import { slotVariable } from './environment.ts'

export type Limits = {
  /** Processes and their threads at one time. */
  readonly processes: number
  readonly memoryMiB: number
  /** Work tree and home, with what was kept there. */
  readonly diskMiB: number
}

export const limitNames = ['processes', 'memoryMiB', 'diskMiB'] as const satisfies (keyof Limits)[]

/** In the units of the limits; null is not measured yet. */
export type Usage = { readonly [Name in keyof Limits]: number | null }

const bytesPerMiB = 1 << 20

/** The limits that are not given: nine tenths of the memory are those of the machine, or of its container. */
export function limitsWith(given: Partial<Limits> = {}): Limits {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return {
    processes: 4_096,
    memoryMiB: Math.floor((memory * 0.9) / bytesPerMiB),
    diskMiB: 20 * 1_024,
    ...given,
  }
}

/** The words about the first limit that is exceeded; null: none is. */
export function exceeded(usage: Usage, limits: Limits): string | null {
  const isOver = (name: keyof Limits): boolean => (usage[name] ?? 0) > limits[name]
  const more = (name: keyof Limits, unit: string): string =>
    `the run used more than ${count(limits[name])} ${unit}, its limit "${name}"`
  if (isOver('processes')) return more('processes', 'processes and threads')
  if (isOver('memoryMiB')) return more('memoryMiB', 'MiB of memory')
  return isOver('diskMiB') ? more('diskMiB', 'MiB of disk') : null
}

/**
 * The number for RLIMIT_NPROC; null for root. The kernel counts all that the user runs on the machine, so
 * it has room for other runs: the sampled limit is the one that a verdict names.
 */
export function hardProcessLimit({ processes }: Limits): number | null {
  const user = process.getuid?.() ?? 0
  if (user === 0) return null
  return tasksOf(user) + Math.ceil(processes * 1.25) + 1_000
}

/** Processes and threads of a user. A folder of tasks has two links more than tasks. */
function tasksOf(user: number): number {
  const tasks = processIds().map((pid) => statSync(`/proc/${pid}/task`, { throwIfNoEntry: false }))
  return tasks.reduce((sum, task) => sum + (task?.uid === user ? task.nlink - 2 : 0), 0)
}

/** Calls a function now and then, until the returned function is called. */
export type Ticks = (onTick: () => void) => () => void

const everySecond: Ticks = (onTick) => {
  const timer = setInterval(onTick, 1_000)
  timer.unref()
  return () => clearInterval(timer)
}

export type WatchedRun = {
  /** The process from which all others of the run come. */
  readonly pid: number
  /** In a namespace no process can leave its parents: none is looked for elsewhere. */
  readonly isInNamespace: boolean
  /** The value of the variable by which its processes are found. */
  readonly slot: string
  /** What counts as its disk. */
  readonly folders: readonly string[]
  readonly limits: Limits
  /** Called once, with the words about the limit. */
  readonly onExceeded: (words: string) => void
}

type Watched = WatchedRun & {
  /** When each of its processes has started: an id can be used again. */
  readonly known: Map<number, string>
  readonly disk: DiskGauge
}

/** Samples the usage of all runs of a runner, together: the list of processes is read once. */
export class RunWatcher {
  readonly #ticks: Ticks
  readonly #runs = new Set<Watched>()
  /** The slot in the environment of each process, or nothing: it is read once. */
  readonly #slots = new Map<number, { readonly startedAt: string; readonly slot: string | null }>()
  #stop: (() => void) | null = null
  #isSampling = false

  constructor(ticks: Ticks = everySecond) {
    this.#ticks = ticks
  }

  /** Returns the function that ends the watch. */
  watch(run: WatchedRun): () => void {
    const watched = { ...run, known: new Map(), disk: new DiskGauge(run) }
    this.#runs.add(watched)
    this.#stop ??= this.#ticks(() => void this.#sample())
    return () => {
      this.#runs.delete(watched)
      watched.disk.close()
      if (this.#runs.size > 0) return
      this.#stop?.()
      this.#stop = null
      this.#slots.clear()
    }
  }

  async #sample(): Promise<void> {
    if (this.#isSampling) return
    this.#isSampling = true
    try {
      const rows = await readProcesses()
      for (const run of this.#runs) await this.#look(run, rows)
      const there = new Set(rows.map(({ pid }) => pid))
      for (const pid of this.#slots.keys()) if (!there.has(pid)) this.#slots.delete(pid)
    } finally {
      this.#isSampling = false
    }
  }

  async #look(run: Watched, rows: readonly ProcessRow[]): Promise<void> {
    const members = this.#membersOf(run, rows)
    run.known.clear()
    for (const { pid, startedAt } of members) run.known.set(pid, startedAt)
    const processes = members.reduce((sum, { threads }) => sum + threads, 0)
    const words =
      // The memory of a bomb takes longer to measure than it takes the machine to be full.
      exceeded({ processes, memoryMiB: null, diskMiB: null }, run.limits) ??
      exceeded(
        {
          processes,
          memoryMiB: (await memoryOf(members, run)) / bytesPerMiB,
          diskMiB: run.disk.tick(),
        },
        run.limits,
      )
    // It can be over since the list was read.
    if (words === null || !this.#runs.delete(run)) return
    run.onExceeded(words)
  }

  #membersOf(run: Watched, rows: readonly ProcessRow[]): ProcessRow[] {
    const isKnown = ({ pid, startedAt }: ProcessRow): boolean =>
      pid === run.pid || run.known.get(pid) === startedAt
    const members = relatives(rows, rows.filter(isKnown))
    if (run.isInNamespace) return [...members]
    const marked = rows.filter((row) => !members.has(row) && this.#slotOf(row) === run.slot)
    return [...relatives(rows, [...members, ...marked])]
  }

  #slotOf({ pid, startedAt }: ProcessRow): string | null {
    const known = this.#slots.get(pid)
    if (known?.startedAt === startedAt) return known.slot
    const environment = textAt(`/proc/${pid}/environ`) ?? ''
    const variables = environment.split('\0')
    const found = variables.find((variable) => variable.startsWith(`${slotVariable}=`))
    const slot = found?.slice(slotVariable.length + 1) ?? null
    // A process that begins has none yet.
    if (environment !== '') this.#slots.set(pid, { startedAt, slot })
    return slot
  }
}

type ProcessRow = {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly threads: number
  readonly residentPages: number
  readonly startedAt: string
}

/** These processes, and all whose parent, group or session is one of them. */
function relatives(rows: readonly ProcessRow[], first: readonly ProcessRow[]): Set<ProcessRow> {
  const members = new Set(first)
  const ids = new Set(first.map(({ pid }) => pid))
  for (let before = -1; before !== members.size;) {
    before = members.size
    for (const row of rows) {
      if (members.has(row) || ![row.parent, row.group, row.session].some((id) => ids.has(id)))
        continue
      members.add(row)
      ids.add(row.pid)
    }
  }
  return members
}

/** Reads few enough at a time that the server answers meanwhile. */
const readAtOnce = 200

async function readProcesses(): Promise<ProcessRow[]> {
  const rows: ProcessRow[] = []
  for (const [index, pid] of processIds().entries()) {
    if (index % readAtOnce === readAtOnce - 1) await nextTurn()
    const { fields } = statOf(pid)
    if (fields.length > 0) rows.push(rowOf(pid, fields))
  }
  return rows
}

function rowOf(pid: number, fields: readonly string[]): ProcessRow {
  const number = (index: number): number => Number(fields[index] ?? 0)
  return {
    pid,
    parent: number(1),
    group: number(2),
    session: number(3),
    threads: number(17),
    residentPages: number(21),
    startedAt: fields[19] ?? '',
  }
}

let pageBytes: number | null = null

function bytesOfPage(): number {
  pageBytes ??= Number(spawnSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }).stdout) || 4_096
  return pageBytes
}

/**
 * The memory of processes, with the shared memory of their namespace. What several of them share counts
 * once, but that is slow to find out: it is asked only when the limit could be exceeded.
 */
async function memoryOf(
  members: readonly ProcessRow[],
  { limits, isInNamespace }: Watched,
): Promise<number> {
  const shared = isInNamespace ? sharedMemoryOf(members) : 0
  const resident = (row: ProcessRow): number => row.residentPages * bytesOfPage()
  const most = members.reduce((sum, row) => sum + resident(row), shared)
  if (most <= limits.memoryMiB * bytesPerMiB) return most
  let exact = shared
  for (const row of members) {
    await nextTurn()
    const found = /^Pss:\s*(\d+) kB$/m.exec(textAt(`/proc/${row.pid}/smaps_rollup`) ?? '')
    exact += found ? Number(found[1]) * 1_024 : resident(row)
  }
  return exact
}

/** What is in `/dev/shm` of a namespace: no process need have it mapped. */
function sharedMemoryOf(members: readonly ProcessRow[]): number {
  for (const { pid } of members) {
    const path = join('/proc', String(pid), 'root', 'dev/shm')
    try {
      if (statSync(path).dev === statSync('/dev/shm').dev) continue
      const { blocks, bfree, bsize } = statfsSync(path)
      return (blocks - bfree) * bsize
    } catch {
      // It has ended, or is of another user.
    }
  }
  return 0
}

const ticksBetween = 10
/** Measuring a large work tree takes seconds: it may use a twentieth of the time. */
const timesItsLength = 20
/** A part of the limit: if so much of the disk has been filled, it is measured at once. */
const filledAtOnce = 0.1

/** Measures the folders of a run with `du`, now and then, in ticks. */
class DiskGauge {
  readonly #run: WatchedRun
  #measuring: ChildProcess | null = null
  #tick = 0
  #begun = 0
  #due = 0
  #free = Infinity
  #last: number | null = null

  constructor(run: WatchedRun) {
    this.#run = run
  }

  /** What was found last, in MiB; null: nothing yet. */
  tick(): number | null {
    this.#tick += 1
    const free = this.#freeMiB()
    const isFilling = this.#free - free > this.#run.limits.diskMiB * filledAtOnce
    if (!this.#measuring && (isFilling || this.#tick >= this.#due)) this.#measure(free)
    return this.#last
  }

  close(): void {
    this.#measuring?.kill('SIGKILL')
  }

  #freeMiB(): number {
    try {
      const { bavail, bsize } = statfsSync(this.#run.folders[0] ?? '/')
      return (bavail * bsize) / bytesPerMiB
    } catch {
      return this.#free
    }
  }

  #measure(free: number): void {
    this.#free = free
    this.#begun = this.#tick
    const child = spawn('du', ['-skx', '--', ...this.#run.folders], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.#measuring = child
    let text = ''
    // Without a file descriptor left there is no output, and an error follows.
    child.on('spawn', () =>
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('latin1'))),
    )
    const done = (): void => {
      this.#measuring = null
      const length = this.#tick - this.#begun
      this.#due = this.#tick + Math.max(ticksBetween, length * timesItsLength)
      const sizes = text.split('\n').map((line) => Number.parseInt(line, 10))
      const known = sizes.filter((size) => !Number.isNaN(size))
      if (known.length > 0) this.#last = known.reduce((sum, size) => sum + size, 0) / 1_024
    }
    child.on('error', done)
    child.on('close', done)
  }
}
