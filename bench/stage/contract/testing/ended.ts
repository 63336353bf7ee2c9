/** How a story ended, from the commands and events of its queue. */

import type { Event } from '../../../../engine/index.ts'
import type { Ended } from './contract-case.ts'

/** One accepted command and its events. */
export type ContractStep = {
  readonly command: { readonly type: string }
  readonly events: readonly Event[]
}

const byTheQueue = 'MERGE_GRAPH_MERGE'

/** Everything but the landings, which are read from what the host has done. */
export function endedOf(steps: readonly ContractStep[]): Omit<Ended, 'landings'> {
  const ends: Record<number, string> = {}
  const restarts: Record<number, string[]> = {}
  const merged: number[] = []
  const asked: (readonly number[])[] = []
  for (const event of steps.flatMap(({ events }) => events)) {
    if (event.type === 'tipMoved' && event.number !== null) merged.push(event.number)
    if (event.type === 'mergeRequested') asked.push(event.numbers ?? [event.number])
    if (event.type !== 'pullRequestMoved') continue
    const { number, from, to, reason } = event
    ends[number] = reason === null || reason === byTheQueue ? to : `${to} ${reason}`
    if (from !== 'NOT_READY' && to === 'PENDING' && reason !== null)
      (restarts[number] ??= []).push(reason)
  }
  return { ends, merged, restarts, asked }
}

/** An answer comes later: the queue never hears it within the command that asked. */
export function answersFromWithin(steps: readonly ContractStep[]): string[] {
  return steps.flatMap(({ command, events }) => {
    const at = events.findIndex(({ type }) => type === 'mergeRequested')
    const isAnswered = at >= 0 && events.slice(at).some(({ type }) => type === 'tipMoved')
    return isAnswered ? [`${command.type} asks the host to merge, and has its answer`] : []
  })
}
