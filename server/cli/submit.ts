/** `mergeyard submit`: submits a branch or a pull request. */

import { spawnSync } from 'node:child_process'
import type * as wire from '../contract/wire.ts'
import { commandOf, exitCodes, startFolder } from '../terminal/command.ts'
import type { OptionTable, Usage } from '../terminal/options.ts'
import { oneLine } from '../terminal/text.ts'
import { jsonOption, writeResult } from './place.ts'
import { remoteTable, Refused, RemoteServer, refOnWire } from './remote-server.ts'

const table = {
  urgent: 'before all others; it restarts those that are tested',
  alone: 'tested alone, never in a batch',
  'depends-on <branches or numbers>...': 'lands after these, and never without them: 7,8',
  ...jsonOption,
  ...remoteTable,
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'submit',
  about: `Submit a pull request to the queue: a branch of the repository, or a number. A branch that only
this folder has is pushed first.

  mergeyard submit pay-twice
  mergeyard submit 7 --urgent
  mergeyard submit 8 --depends-on 7`,
  operands: ['<branch or number>'],
  table,
  more: 'Exit codes: 0 submitted, 2 refused, and nothing has changed.\n',
}

export const main = commandOf(usage, async (parsed, { stdout, env }) => {
  const [operand = ''] = parsed.operands
  const server = RemoteServer.of('submit', parsed, env)
  const queue = refOnWire(server.queue(parsed))
  const number = await numberOf(server, queue, { operand, env })
  const below = parsed.list('depends-on').flatMap((list) => list.split(','))
  const dependsOn: number[] = []
  for (const named of below) dependsOn.push(await server.numberOf(queue, named))
  const wishes = {
    ...(below.length > 0 ? { dependsOn } : {}),
    ...(parsed.flag('urgent') ? { priority: 'urgent' } : {}),
    ...(parsed.flag('alone') ? { noBatch: true } : {}),
  }
  const submission = { ...queue, pr: { number }, ...wishes }
  const answer = await server.call<wire.SubmittedPullRequest>('submitPullRequest', submission)
  const isHeld = answer.state.toUpperCase() === 'NOT_READY'
  const submitted = isHeld ? await server.pullNamed(queue, String(number)) : answer
  await writeResult(stdout, parsed, submitted, positionLine(submitted))
  return exitCodes.success
})

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
    const { url } = await server.call<wire.RepositoryStatus>('getRepositoryStatus', queue)
    const branch = operand.replace(/^refs\/heads\//, '')
    if (!pushed(startFolder(env), branch, url)) throw error
    return server.numberOf(queue, operand)
  }
}

/** Pushes a branch of the folder, as its user would. False if it has no such branch, or the repository does not take it. */
function pushed(folder: string, branch: string, url: string): boolean {
  const ref = `refs/heads/${branch}`
  // With the settings and credentials of the user.
  const succeeds = (...args: readonly string[]): boolean =>
    spawnSync('git', args, { cwd: folder, stdio: 'ignore' }).status === 0
  return succeeds('rev-parse', '--verify', '--quiet', ref) && succeeds('push', url, `${ref}:${ref}`)
}

/** `#7  A title: pending, position 3`, in a line; what keeps it from being tested follows. */
export function positionLine({
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
  return `#${prNumber}${title}: ${state.toLowerCase().replaceAll('_', ' ')}${place}\n`
}
