/** The commands of Mergeyard. Each command imports its modules only when it runs. */

import { readFileSync } from 'node:fs'
import type { steerCommand } from '../../server/cli/steer.ts'
import type { SimPorts } from '../../sim/cli/sim.ts'
import type { SpreadOver } from '../../sim/cli/values.ts'
import { groupOf, exitCodes, Interrupted, isInterrupted } from '../../server/terminal/command.ts'
import type { CommandGroup, CliContext } from '../../server/terminal/command.ts'
import { helpfulMessage } from '../../server/terminal/files.ts'
import { writeAll } from '../../server/terminal/output.ts'
import { oneLine } from '../../server/terminal/text.ts'
import { BadLines } from '../../server/terminal/bad-input.ts'

const spreadOver: SpreadOver = async (...args) => {
  const over = await import('../over/spread-over.ts')
  return over.spreadOver(...args)
}

const simPorts: SimPorts = {
  spreadOver,
  rehearseCluster: async (options, context) => {
    const { rehearseCluster } = await import('./rehearse-cluster.ts')
    return rehearseCluster(options, context)
  },
  downloadHistory: async (options, context) => {
    const { downloadHistory } = await import('./history/download.ts')
    return downloadHistory(options, context)
  },
}

async function steering(command: Parameters<typeof steerCommand>[0]) {
  const { steerCommand } = await import('../../server/cli/steer.ts')
  return { main: steerCommand(command) }
}

const commands: CommandGroup['commands'] = {
  start: {
    summary: 'serve the merge queue over HTTP; with --demo, simulate its users and CI',
    load: async () => {
      const { startCommand } = await import('../../server/cli/start.ts')
      return {
        main: startCommand(async (options, context) => {
          const { runDemo } = await import('./demo.ts')
          return runDemo(options, context)
        }),
      }
    },
  },
  try: {
    summary: 'merge twelve pull requests of a throw-away repository, with real git',
    load: () => import('./try.ts'),
  },
  serve: {
    summary: 'merge the pull requests of a git repository, and test them with a command',
    load: async () => {
      const { serveCommand } = await import('../../server/cli/serve.ts')
      const { readReports } = await import('./junit-reports.ts')
      return { main: serveCommand(readReports) }
    },
  },
  init: {
    summary: 'write a mergeyard.json for the repository of this folder',
    load: () => import('../../server/cli/init.ts'),
  },
  doctor: {
    summary: 'check that a repository and this machine have what a queue needs',
    load: () => import('../../server/cli/doctor.ts'),
  },
  submit: {
    summary: 'submit a branch or a pull request to a running server',
    load: async () => ({ main: (await import('../../server/cli/steer.ts')).submitCommand }),
  },
  cancel: {
    summary: 'take a pull request out of the queue',
    load: () => steering('cancel'),
  },
  retry: {
    summary: 'test a pull request again',
    load: () => steering('retry'),
  },
  priority: {
    summary: 'change the priority of a pull request in the queue',
    load: () => steering('priority'),
  },
  pause: {
    summary: 'pause a queue',
    load: () => steering('pause'),
  },
  resume: {
    summary: 'let a paused queue go on',
    load: () => steering('resume'),
  },
  quarantine: {
    summary: 'list, add and remove the tests whose failure alone fails no run',
    load: () => import('../../server/cli/quarantine.ts'),
  },
  queue: {
    summary: 'show the line of a queue, live in a terminal',
    load: () => import('../../server/cli/queue.ts'),
  },
  why: {
    summary: 'show why a pull request failed or waits, and what proves it',
    load: async () => ({ main: (await import('../../server/cli/why.ts')).whyCommand }),
  },
  log: {
    summary: 'print the output of a test run',
    load: async () => ({ main: (await import('../../server/cli/why.ts')).logCommand }),
  },
  token: {
    summary: 'create, list and revoke the API tokens of a server',
    load: () => import('../../server/cli/token.ts'),
  },
  webhook: {
    summary: 'add, list, test and remove the webhooks of a server',
    load: () => import('../../server/cli/webhook.ts'),
  },
  backup: {
    summary: 'write a backup of a data folder, also while a server runs on it',
    load: async () => ({ main: (await import('../../server/cli/backup.ts')).backupCommand }),
  },
  restore: {
    summary: 'restore a backup into an empty folder',
    load: async () => ({ main: (await import('../../server/cli/backup.ts')).restoreCommand }),
  },
  copy: {
    summary: 'copy a data folder into a PostgreSQL that servers share, or back',
    load: () => import('../../server/cli/copy.ts'),
  },
  verify: {
    summary: 'verify every byte of a data folder',
    load: async () => ({ main: (await import('../../server/cli/backup.ts')).verifyCommand }),
  },
  sim: {
    summary: 'simulate scenarios, check the properties, replay recordings of a server',
    load: async () => {
      const { simCommand } = await import('../../sim/cli/sim.ts')
      return { main: simCommand(simPorts) }
    },
  },
  soak: {
    summary: 'run new random seeds until stopped, and check every property',
    load: async () => {
      const { soakCommand } = await import('../../sim/cli/soak.ts')
      return { main: soakCommand(spreadOver) }
    },
  },
  worker: {
    summary: 'do the work of campaigns that run --over a database',
    load: () => import('./worker.ts'),
  },
  tune: {
    summary: 'find good settings for a queue',
    load: () => import('./tune.ts'),
  },
  capacity: {
    summary: "find how many times today's pull requests a queue keeps up with",
    load: () => import('./capacity.ts'),
  },
  worst: {
    summary: 'search for the worst day that a queue can have',
    load: async () => {
      const { worstCommand } = await import('../../sim/cli/worst.ts')
      return { main: worstCommand(simPorts) }
    },
  },
  compare: {
    summary: 'compare Mergeyard with other merge queues',
    load: () => import('./compare.ts'),
  },
  bench: {
    summary: 'measure the cost of the engine, the simulator and the server',
    needs: new URL('../benchmarks/index.js', import.meta.url),
    load: () => import('./bench.ts'),
  },
  completion: {
    summary: 'print what makes a shell complete commands and options',
    load: async () => {
      const { completionCommand } = await import('./completion.ts')
      return { main: completionCommand(commands) }
    },
  },
}

const more = `\`mergeyard --version\`, or \`-v\`, prints the version.

In a checkout of the repository, use npx mergeyard <command> or the npm script of the same name,
for example npm run sim -- <scenario file>.
`

const main = groupOf({
  name: '',
  about: 'A merge queue, and a simulator to test its settings.',
  commands,
  more,
})

/** Runs the command that the arguments select. Returns the exit code. Prints one line per input error. */
export async function runCommand(args: readonly string[], context: CliContext): Promise<number> {
  const interruption = interruptionOf(context)
  try {
    if (args[0] !== '--version' && args[0] !== '-v') {
      const code = await Promise.race([main(args, interruption.context), interruption.comes])
      if (code === exitCodes.interrupted) throw new Interrupted()
      return code
    }
    await writeAll(context.stdout, [`${version()}\n`])
    return exitCodes.success
  } catch (error) {
    const isKnown = error instanceof Interrupted
    if (!(error instanceof BadLines) && (isKnown || (await isInterrupted(context.signal)))) {
      const { message } = isKnown ? error : new Interrupted()
      await writeAll(context.stderr, [`mergeyard: ${oneLine(message)}\n`])
      return exitCodes.interrupted
    }
    const lines = linesOf(error).map((line) => oneLine(line))
    await writeAll(context.stderr, [`${lines.join('\n')}\n`])
    return exitCodes.badInput
  }
}

/** The lines about what cannot be used. What the system refuses, it names itself. Throws any other error. */
function linesOf(error: unknown): readonly string[] {
  if (error instanceof BadLines) return error.lines
  if (error instanceof Error && 'syscall' in error) return [`mergeyard: ${helpfulMessage(error)}`]
  throw error
}

/** Ends a command that has never asked for the signal: it has nothing to put in order. */
function interruptionOf(given: CliContext): {
  readonly context: CliContext
  readonly comes: Promise<never>
} {
  let isAwaited = false
  const context = {
    ...given,
    get signal() {
      isAwaited = true
      return given.signal
    },
  }
  const comes = new Promise<never>((_resolve, reject) => {
    given.signal.addEventListener(
      'abort',
      () => {
        if (!isAwaited) reject(new Error('interrupted'))
      },
      { once: true },
    )
  })
  return { context, comes }
}

function version(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const parsed: { readonly version: string } = JSON.parse(manifest)
  return parsed.version
}
