/** What a pull request depends on, as its request, its description and its host say. Rules. */

import {
  isTerminal,
  missingOf,
  type PullSnapshot,
  type PullRequestNumber,
} from '../../engine/index.ts'
import type { HostedParts } from './hosted-parts.ts'
import type { HostAnswer } from './hosting.ts'

type Stack = { readonly dependsOn?: readonly PullRequestNumber[] }

/** Empty if nobody names any and it is built on none: then one in the queue keeps what it has. */
export function dependsOnOf({ on = [], after }: Pick<PullSnapshot, 'on' | 'after'>): Stack {
  const dependsOn = [...new Set([...on, ...(after ?? [])])].slice(0, 100)
  return after || dependsOn.length > 0 ? { dependsOn } : {}
}

/** The numbers in lines `Depends-On: #7` of a description. */
export function namedIn({ body }: Pick<PullSnapshot, 'body'>): PullRequestNumber[] {
  const lines = body.matchAll(/^[ \t]*depends-on:((?:[ \t,]*#\d{1,9}\b)+)[ \t]*\r?$/gim)
  const named = [...lines].flatMap(([, list = '']) => list.match(/\d+/g) ?? []).map(Number)
  return named.filter((number) => number > 0)
}

type Naming = {
  /** What the request names; absent: the description does. */
  readonly asked?: readonly PullRequestNumber[] | undefined
  /** What the host requires to merge first, whatever is named. */
  readonly blockers?: readonly PullRequestNumber[]
}

/**
 * Adds who is named and has not merged; if nobody is, whom it waits for already. Refuses a snapshot that names one which
 * cannot merge there.
 */
export async function withNamed(
  parts: HostedParts,
  {
    number: own,
    snapshot,
  }: { readonly number: PullRequestNumber; readonly snapshot: PullSnapshot },
  { asked, blockers = [] }: Naming,
): Promise<HostAnswer<PullSnapshot>> {
  const told = [...(asked ?? namedIn(snapshot)), ...blockers]
  const named = asked || told.length > 0 ? told : missingOf(parts.queue.engine.queue, own)
  if (!asked && named.length === 0) return { value: snapshot }
  const after: PullRequestNumber[] = []
  for (const number of new Set(named)) {
    const standing = await standingOf(parts, number)
    if (standing.is === 'never') {
      return { refused: { status: 409, text: `it depends on ${number}, which ${standing.why}` } }
    }
    if (standing.is === 'to come') after.push(number)
  }
  return { value: { ...snapshot, after } }
}

/** Whether one may still merge there. `merged`: past the queue. */
type Standing =
  | { readonly is: 'to come' | 'merged' }
  | { readonly is: 'never'; readonly why: string }

const toCome: Standing = { is: 'to come' }
const never = (why: string): Standing => ({ is: 'never', why })

async function standingOf(
  { queue, codeHost, refs, observation }: HostedParts,
  number: PullRequestNumber,
): Promise<Standing> {
  const known = queue.engine.queue.pullRequests[number]
  if (known && (known.state === 'MERGED' || !isTerminal(known.state))) return toCome
  const isThere = known !== undefined || observation?.heads.has(refs.refOf(number)) === true
  if (!codeHost) return isThere ? toCome : never('does not exist')
  const pull = await codeHost.pull(number)
  if (!pull) return never('does not exist')
  const { state, base } = pull
  const { targetBranch } = queue.ref
  const elsewhere = `into ${base}, not into ${targetBranch}`
  if (state === 'closed') return never('is closed')
  if (state === 'merged')
    return base === targetBranch ? { is: 'merged' } : never(`has merged ${elsewhere}`)
  const isHere = base === targetBranch || codeHost.below(pull) !== null
  return isHere ? toCome : never(`asks to merge ${elsewhere}`)
}
