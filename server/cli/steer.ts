/** `cancel`, `retry`, `priority`, `pause`, `resume`: what people do with a queue that is at work. */

import type * as wire from '../contract/wire.ts'
import { askGit } from '../terminal/ask-git.ts'
import { BadInput, BadLines, shown } from '../terminal/bad-input.ts'
import { type Main, startFolder } from '../terminal/command.ts'
import type { OptionTable, Usage } from '../terminal/options.ts'
import { writeText } from '../terminal/output.ts'
import { answering, gitIn } from './place.ts'
import { queueIn, Refused, type RemoteServer, remoteTable, stateWord } from './remote-server.ts'
import { joinedLines, oneLine, several } from '../terminal/text.ts'

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
      return server.pull(queue, pr)
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
      return server.pull(queue, pr)
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

/** The main function of one of the commands. */
export function steerCommand(command: keyof typeof steerings): Main {
  const { run, ...said }: Steering = steerings[command]
  const more = 'Exit codes: 0 done, 2 refused, and nothing has changed.\n'
  return answering({ command, table: remoteTable, more, ...said }, async (parsed, { env }) => {
    const { server, queue } = queueIn(command, parsed, env)
    const found = await run(server, queue, parsed.operands)
    const text =
      'prNumber' in found ? positionLine(found) : `${found.branch}: ${found.state.toLowerCase()}\n`
    return { document: found, text }
  })
}

/** The server refuses one that was never submitted. */
async function pullIn(server: RemoteServer, queue: wire.QueueRef, named: string) {
  const pr = { number: await server.submittedNumberOf(queue, named) }
  return { pr, found: await server.pull(queue, pr) }
}

// `mergeyard submit`: submits a branch or a pull request.

const submitTable = {
  urgent: 'before all others; it restarts those that are tested',
  alone: 'tested alone, never in a batch',
  'depends-on <branches or numbers>...': 'lands after these, and never without them: 7,8',
  ...remoteTable,
} as const satisfies OptionTable

const usage: Usage<typeof submitTable> = {
  command: 'submit',
  about: `Submit a pull request to the queue: a branch of the repository, or a number. A branch that only
this folder has is pushed first.

  mergeyard submit pay-twice
  mergeyard submit 7 --urgent
  mergeyard submit 8 --depends-on 7`,
  operands: ['<branch or number>'],
  table: submitTable,
  more: 'Exit codes: 0 submitted, 2 refused, and nothing has changed.\n',
}

export const submitCommand = answering(usage, async (parsed, { stderr, env }) => {
  const [operand = ''] = parsed.operands
  const below = parsed
    .list('depends-on')
    .flatMap((list) => list.split(',').map((each) => each.trim()))
  if (below.includes('')) {
    const actual = shown(below.join(','))
    const expected = 'branches or numbers, as in 7,8'
    throw new BadInput('submit', [{ where: '--depends-on', expected, actual }])
  }
  const { server, queue } = queueIn('submit', parsed, env)
  const number = await numberOf(server, queue, { operand, env })
  const dependsOn: number[] = []
  for (const named of below) dependsOn.push(await server.numberOf(queue, named))
  const requests = {
    ...(below.length > 0 ? { dependsOn } : {}),
    ...(parsed.flag('urgent') ? { priority: 'urgent' } : {}),
    ...(parsed.flag('alone') ? { noBatch: true } : {}),
  }
  const submission = { ...queue, pr: { number }, ...requests }
  const answer = await server.call('submitPullRequest', submission)
  const isHeld = answer.state.toUpperCase() === 'NOT_READY'
  const submitted = isHeld ? await server.pullNamed(queue, String(number)) : answer
  const unpushed = unpushedOf(startFolder(env), branchOf(operand), submitted.prSha)
  if (unpushed > 0) {
    const what = `${branchOf(operand)} of this folder has ${several(unpushed, 'commit')} more`
    await writeText(stderr, `submit: ${what}: push it, then submit it again\n`)
  }
  return { document: submitted, text: positionLine(submitted) }
})

/** How many commits of a branch of the folder lie on top of the one that is submitted. */
function unpushedOf(folder: string, branch: string, submitted: string): number {
  // Fails where the folder has no such branch, or is of another repository.
  const range = `${submitted}..refs/heads/${branch}`
  return submitted === '' ? 0 : Number(gitIn(folder, 'rev-list', '--count', range, '--') ?? 0)
}

const branchOf = (operand: string): string => operand.replace(/^refs\/heads\//, '')

/** The number of a pull request, or of a branch; a branch of this folder is pushed if it is new. */
async function numberOf(
  server: RemoteServer,
  queue: wire.QueueRef,
  { operand, env }: { readonly operand: string; readonly env: NodeJS.ProcessEnv },
): Promise<number> {
  try {
    return await server.numberOf(queue, operand)
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error
    const { url } = await server.call('getRepositoryStatus', queue)
    if (!pushed(startFolder(env), branchOf(operand), { url, into: queue.targetBranch })) throw error
    return server.numberOf(queue, operand)
  }
}

type Repository = {
  readonly url: string
  /** The target branch of the queue. */
  readonly into: string
}

/** Pushes a branch of the folder, as its user would. False if it has no such branch. Throws `BadLines`. */
function pushed(folder: string, branch: string, { url, into }: Repository): boolean {
  const ref = `refs/heads/${branch}`
  if (gitIn(folder, 'rev-parse', '--verify', '--quiet', ref) === null) return false
  const refuse = (why: string): never => {
    throw new BadLines([`submit: ${branch} of this folder ${why}`])
  }
  if (isUnrelated(folder, ref, { url, into }))
    refuse(`has no commit in common with ${into} of ${url}, so it is not pushed there`)
  // With the settings, hooks and credentials of the user.
  const push = ['push', '--quiet', url, `${ref}:${ref}`]
  const { status, stderr } = askGit(folder, push)
  if (status !== 0) refuse(`cannot be pushed to ${url}: ${joinedLines(stderr)}`)
  return true
}

/** Whether a branch is of another repository: its commits are not to reach this one. False if that cannot be told. */
function isUnrelated(folder: string, ref: string, { url, into }: Repository): boolean {
  const target = `refs/heads/${into}`
  const [tip = ''] = (gitIn(folder, 'ls-remote', url, target) ?? '').split('\t')
  const isShallow = gitIn(folder, 'rev-parse', '--is-shallow-repository') !== 'false'
  if (tip === '' || isShallow) return false
  const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', url, target]
  const isThere = gitIn(folder, 'cat-file', '-e', tip) ?? gitIn(folder, ...fetch)
  return isThere !== null && gitIn(folder, 'merge-base', tip, ref) === null
}

/** `#7  A title: pending, position 3`, in a line; what keeps it from being tested follows. */
function positionLine({
  prNumber,
  prTitle,
  state,
  position,
  why,
}: wire.SubmittedPullRequest): string {
  const title = prTitle === '' ? '' : `  ${oneLine(prTitle)}`
  const place = position === null ? '' : `, position ${position}`
  const held = state.toUpperCase() === 'NOT_READY' ? oneLine(why?.sentence ?? '') : ''
  if (held !== '') return `#${prNumber}${title}: ${held.charAt(0).toLowerCase()}${held.slice(1)}\n`
  return `#${prNumber}${title}: ${stateWord(state)}${place}\n`
}
