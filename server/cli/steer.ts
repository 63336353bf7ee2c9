/** `cancel`, `retry`, `priority`, `pause`, `resume`: what people do with a queue that is at work. */

import type * as wire from '../contract/wire.ts'
import { BadLines } from '../terminal/bad-input.ts'
import { commandOf, exitCodes, type Main } from '../terminal/command.ts'
import type { OptionTable } from '../terminal/options.ts'
import { jsonOption, writeResult } from './place.ts'
import { refOnWire, RemoteServer, remoteTable } from './remote-server.ts'
import { positionLine } from './submit.ts'

type Steering = {
  readonly about: string
  readonly operands?: readonly string[]
  /** Returns what is printed as JSON. */
  readonly run: (
    server: RemoteServer,
    queue: wire.QueueRef,
    operands: readonly string[],
  ) => Promise<wire.SubmittedPullRequest | wire.QueueConfiguration>
}

const pull = '<branch or number>'

const steerings = {
  cancel: {
    about: 'Take a pull request out of the queue.',
    operands: [pull],
    run: async (server, queue, [named = '']) => {
      const { pr } = await pullIn(server, queue, named)
      await server.call('cancelPullRequest', { ...queue, pr })
      return shownPull(server, queue, pr)
    },
  },
  retry: {
    about:
      'Test a pull request again: in its place, or at the end of the queue if it has left the queue.',
    operands: [pull],
    run: async (server, queue, [named = '']) => {
      const { pr, found } = await pullIn(server, queue, named)
      const isIn = found.isCurrentlySubmittedToQueue
      await server.call(isIn ? 'restartTestsOnPullRequest' : 'submitPullRequest', { ...queue, pr })
      return shownPull(server, queue, pr)
    },
  },
  priority: {
    about: `Change the priority of a pull request in the queue.

  mergeyard priority 7 high`,
    operands: [pull, '<urgent|high|medium|low|number>'],
    run: async (server, queue, [named = '', priority = '']) => {
      const { pr, found } = await pullIn(server, queue, named)
      if (!found.isCurrentlySubmittedToQueue) {
        const state = found.state.toLowerCase()
        throw new BadLines([
          `priority: #${pr.number} is ${state}, not in the queue: submit it, then change its priority`,
        ])
      }
      const value = /^\d+$/.test(priority) ? Number(priority) : priority
      return server.call('submitPullRequest', { ...queue, pr, priority: value })
    },
  },
  pause: {
    about: 'Pause a queue: nothing merges and no test run starts until `mergeyard resume`.',
    run: (server, queue) => server.call('updateQueue', { ...queue, state: 'PAUSED' }),
  },
  resume: {
    about: 'Let a queue that is paused or draining go on.',
    run: (server, queue) => server.call('updateQueue', { ...queue, state: 'RUNNING' }),
  },
} as const satisfies Readonly<Record<string, Steering>>

const table = { ...jsonOption, ...remoteTable } as const satisfies OptionTable

/** The main function of one of the commands. */
export function steerCommand(command: keyof typeof steerings): Main {
  const { run, ...said }: Steering = steerings[command]
  const more = 'Exit codes: 0 done, 2 refused, and nothing has changed.\n'
  return commandOf({ command, table, more, ...said }, async (parsed, { stdout, env }) => {
    const server = RemoteServer.of(command, parsed, env)
    const found = await run(server, refOnWire(server.queue(parsed)), parsed.operands)
    const text =
      'prNumber' in found ? positionLine(found) : `${found.branch}: ${found.state.toLowerCase()}\n`
    await writeResult(stdout, parsed, found, text)
    return exitCodes.success
  })
}

/** The server refuses one that was never submitted. */
async function pullIn(server: RemoteServer, queue: wire.QueueRef, named: string) {
  const pr = { number: await server.submittedNumberOf(queue, named) }
  return { pr, found: await shownPull(server, queue, pr) }
}

function shownPull(server: RemoteServer, queue: wire.QueueRef, pr: wire.PullRequestRef) {
  const asked = { ...queue, pr, includeWhy: true }
  return server.call<wire.SubmittedPullRequest>('getSubmittedPullRequest', asked)
}
