/** What coverage marks look for in a run: one event, the state, two events about the same, or a course of events. */

import type {
  BisectionId,
  Event,
  EventOf,
  EventType,
  GroupId,
  PullRequestNumber,
  TestRun,
  TestRunId,
} from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'

/** Begins to watch a run. The function that it returns says of each step whether the situation occurred. */
export type Watch = () => (step: Step) => boolean

/** A single event shows it, together with the queue after its command. */
export function event<Type extends EventType>(
  type: Type,
  holds: (event: EventOf<Type>, step: Step) => boolean = () => true,
): Watch {
  const isMeant = (one: Event): one is EventOf<Type> => one.type === type
  return () => (step) => step.events.some((one) => isMeant(one) && holds(one, step))
}

/** The queue shows it after a command. */
export const state =
  (holds: (queue: Step['queue'], step: Step) => boolean): Watch =>
  () =>
  (step) =>
    holds(step.queue, step)

/** What an event is about, as far as a watch asks for it. */
type About = (event: Event) => string | number | null

/** An event of the second kind is about the same as an earlier one of the first kind. */
export const inTurn =
  (first: About, second: About): Watch =>
  () => {
    const known = new Set<string | number | null>()
    return ({ events }) =>
      events.some((one) => {
        const about = second(one)
        const isMet = about !== null && known.has(about)
        known.add(first(one))
        return isMet
      })
  }

/** Two events of a kind are about the same. */
export const twice = (about: About): Watch => inTurn(about, about)

/** This many failed prefixes, each shorter than the one before. The batch counts as the first. */
const deep = 3

export const threeDeep: Watch = () => {
  const failed = new Map<BisectionId, number[]>()
  return ({ events }) =>
    events.some((one) => {
      if (one.type === 'bisectionStarted') failed.set(one.bisection, [one.members.length])
      if (one.type !== 'bisectionVerdictReached' || one.outcome === 'passed') return false
      const lengths = failed.get(one.bisection) ?? []
      if (one.run.tested.length < (lengths.at(-1) ?? 0)) lengths.push(one.run.tested.length)
      return lengths.length >= deep
    })
}

/** How a hold ends. In a hold, a failed group waits for verdicts of its successors. */
export const holdThatEndsIn =
  (wanted: 'rescue' | 'failure'): Watch =>
  () => {
    const held = new Map<GroupId, readonly PullRequestNumber[]>()
    const endsIn = (one: Event): typeof wanted | null => {
      if (one.type === 'groupPassed' && held.has(one.group)) return 'rescue'
      if (one.type === 'bisectionStarted' && held.has(one.group)) return 'failure'
      const isFailed = one.type === 'pullRequestMoved' && one.to === 'FAILED'
      return isFailed && [...held.values()].flat().includes(one.number) ? 'failure' : null
    }
    return ({ events, queue }) =>
      events.some((one) => {
        if (one.type === 'holdStarted') held.set(one.group, queue.groups[one.group]?.members ?? [])
        if (one.type === 'groupRestarted') held.delete(one.group)
        return endsIn(one) === wanted
      })
  }

/** In parallel mode, a pull request merges while a group that started earlier is in the line. */
export const mergedPast: Watch = () => {
  let before: { readonly group: GroupId; readonly members: readonly PullRequestNumber[] }[] = []
  return ({ events, queue }) => {
    const stays = new Set(queue.line)
    const isPast = events.some((one) => {
      const number = one.type === 'tipMoved' ? one.number : null
      const at = before.findIndex(({ members }) => number !== null && members.includes(number))
      return before.slice(0, Math.max(at, 0)).some(({ group }) => stays.has(group))
    })
    before = queue.line.map((group) => {
      return { group, members: [...(queue.groups[group]?.members ?? [])] }
    })
    return isPast && queue.configuration.mode === 'parallel'
  }
}

/** A run ends and a pull request in it is cancelled at the same instant, in either order. */
export const resultAndCancel: Watch = () => {
  const runs = new Map<TestRunId, TestRun>()
  let instant = -1
  let [ended, left] = [new Set<PullRequestNumber>(), new Set<PullRequestNumber>()]
  const read = (one: Event): void => {
    if (one.type === 'testRunStarted') runs.set(one.run.id, one.run)
    if (one.type === 'pullRequestMoved' && one.to === 'CANCELLED') left.add(one.number)
    if (one.type === 'departureDeferred') left.add(one.number)
    if (one.type !== 'testRunFinished') return
    const { base = [], tested = [] } = runs.get(one.testRun) ?? {}
    for (const number of [...base, ...tested]) ended.add(number)
    runs.delete(one.testRun)
  }
  return ({ command, events }) => {
    if (command.at !== instant) [ended, left] = [new Set(), new Set()]
    instant = command.at
    for (const one of events) read(one)
    return [...left].some((number) => ended.has(number))
  }
}

/** The queue is DRAINING with work in the line, until no work is left. */
export const drained: Watch = () => {
  let hadWork = false
  return ({ queue: { state: now, line, bisections } }) => {
    const hasWork = line.length > 0 || bisections.length > 0
    hadWork = now === 'DRAINING' && (hadWork || hasWork)
    return hadWork && !hasWork
  }
}
