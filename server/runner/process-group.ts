/**
 * A command as a group of processes that is ended as a whole. A test may ignore SIGTERM, or put a child
 * into a session of its own; so the group is killed after a while, and the rest is found by the slot of the
 * run in its environment. In a namespace nothing can be left.
 */

import { spawn } from 'node:child_process'
import { signalGroup } from '../git/git.ts'
import { exitInNamespace, inNamespace, type View } from './bubblewrap.ts'
import { runVariable, slotVariable } from './environment.ts'
import { textAt } from '../terminal/files.ts'
import { processIds } from '../terminal/processes.ts'
import { hardProcessLimit, type Limits, type RunWatcher } from './limits.ts'
import type { Exit } from './verdict.ts'

const drainMs = 1_000
/** A process can start another one while the sweep looks at the list. */
const mostSweeps = 50

export type Command = {
  /** For `/bin/sh`. */
  readonly text: string
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly onOutput: (data: Buffer) => void
  /** It gets namespaces of its own, in which it sees this; null: it gets none. */
  readonly view: View | null
  readonly limits: Limits
}

export type ProcessGroup = {
  /** Settles when the command has ended, and nothing of it is left. */
  readonly ended: Promise<Exit>
  /** Ends it: first with SIGTERM, and with SIGKILL after the grace. */
  readonly end: () => void
}

/**
 * Begins as a victim for a machine without memory, rather than the server, and with the limit that the kernel
 * holds. Shells call it differently. The command is the second argument, the limit the first.
 */
const limiting = `{ echo 500 > /proc/self/oom_score_adj
  test -z "$0" || ulimit -u "$0" || ulimit -p "$0"; } 2> /dev/null
exec /bin/sh -c "$1"`

/** The watcher belongs to all runs of a runner. */
export function startGroup(
  { text, folder, env, onOutput, view, limits }: Command,
  graceMs: number,
  watcher: RunWatcher,
): ProcessGroup {
  const shell = '/bin/sh'
  const call = ['-c', limiting, String(hardProcessLimit(limits) ?? ''), text]
  const { program, args, ...spawned } = view
    ? inNamespace([shell, ...call], { folder, env }, { view, marked: slotVariable })
    : { program: shell, args: call, env }
  const child = spawn(program, args, {
    cwd: folder,
    env: spawned.env,
    stdio: ['ignore', 'pipe', 'pipe', view ? 'pipe' : 'ignore'],
    detached: true,
  })
  const slot = env[slotVariable] ?? ''
  let grace: NodeJS.Timeout | null = null
  let limit: string | null = null
  let status = ''
  const unwatch = watcher.watch({
    pid: child.pid ?? 0,
    slot,
    limits,
    isInNamespace: view !== null,
    folders: [folder, env['HOME'] ?? folder],
    onExceeded: (words) => {
      limit = words
      signalGroup(child.pid, 'SIGKILL')
      if (!view) signalSlot(slot, 'SIGKILL')
    },
  })
  // Without a file descriptor left there is no output, and an error follows.
  child.on('spawn', () => {
    for (const output of [child.stdout, child.stderr]) output?.on('data', onOutput)
    child.stdio[3]?.on('data', (data: Buffer) => (status += data.toString('latin1')))
  })
  const ended = new Promise<Exit>((resolve, reject) => {
    child.on('error', (error) => {
      unwatch()
      reject(error)
    })
    let drained: NodeJS.Timeout | null = null
    child.on('exit', () => {
      unwatch()
      if (grace) clearTimeout(grace)
      signalGroup(child.pid, 'SIGKILL')
      signalSlot(slot, 'SIGKILL')
      // Now the last output comes. But a process that hides from the sweep can keep it open forever.
      drained = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, drainMs)
    })
    child.on('close', (code, signal) => {
      if (drained) clearTimeout(drained)
      const exit = view ? exitInNamespace({ code, signal }, status) : { code, signal }
      resolve({ ...exit, limit })
    })
  })
  const end = (): void => {
    if (grace || child.exitCode !== null || child.signalCode !== null) return
    // The namespace ends at once with the program that made it: only those in it are asked to end.
    if (view) signalSlot(slot, 'SIGTERM')
    else signalGroup(child.pid, 'SIGTERM')
    grace = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs)
  }
  return { ended, end }
}

type Signal = 'SIGTERM' | 'SIGKILL'

/** Sends a signal to every process with the slot of the run in its environment. Linux only. */
function signalSlot(slot: string, signal: Signal): void {
  if (slot === '') return
  const isOurs = (environment: string): boolean =>
    environment.includes(`\0${slotVariable}=${slot}\0`)
  if (signal === 'SIGKILL') killWhere(isOurs)
  else for (const pid of others()) signalIf(pid, signal, isOurs)
}

/** Kills the runs that a killed server has left in these slots. */
export function killRunsIn(folder: string): void {
  killWhere(
    (environment) =>
      environment.includes(`\0${runVariable}=`) && environment.includes(`\0HOME=${folder}/`),
  )
}

function killWhere(isOurs: (environment: string) => boolean): void {
  for (let sweeps = 0; sweeps < mostSweeps; sweeps++) {
    const killed = others().filter((pid) => signalIf(pid, 'SIGKILL', isOurs))
    if (killed.length === 0) return
  }
}

/** True if it was one of ours. A process that has ended has no environment. */
function signalIf(pid: number, signal: Signal, isOurs: (environment: string) => boolean): boolean {
  // Each variable between two zeros.
  const environment = textAt(`/proc/${pid}/environ`)
  if (environment === null || !isOurs(`\0${environment}\0`)) return false
  try {
    process.kill(pid, signal)
    return true
  } catch {
    // It is gone, or it belongs to somebody else.
    return false
  }
}

const others = (): number[] => processIds().filter((pid) => pid !== process.pid)
