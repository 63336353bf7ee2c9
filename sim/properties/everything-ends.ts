import type { PullRequestState, QueueView } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import { listed, pullRequests, runs } from './wording.ts'

// What the state of a queue holds of pull requests that have left.

/**
 * Returns in words what is left behind in a queue in which only `unready` pull requests wait, all of
 * them NOT_READY, and nobody is in the line. Counts and lists are kept step by step, so whatever was
 * once forgotten, or counted twice, is still wrong at the end.
 */
function leftBehind(queue: QueueView, unready: number): string[] {
  const { order, phases, touching } = queue
  const lists = {
    'priority levels': order.levels,
    arrivals: order.arrivals.numbers,
    'targets of those that wait': Object.keys(order.sharing.byTarget),
    'waiting with all targets': order.sharing.all.numbers,
    'targets of groups': Object.keys(touching.byTarget),
    'groups with all targets': touching.all,
    phases: Object.values(phases).flat(),
  }
  const counts = {
    pending: order.pending,
    'tested alone': order.alone,
    'not ready': order.unready - unready,
  }
  const long = Object.entries(lists).map(([name, { length }]) => [name, length] as const)
  return [...Object.entries(counts), ...long]
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => `${name} (${count})`)
}

/**
 * Rules: E-120, E-224. Checked once, after the last command of the run. A pull request may stay NOT_READY
 * while the code host reports it as not mergeable, in parallel mode while its targets are not known, and while
 * what it depends on is not in the queue and the queue does not know that it has merged, or waits likewise.
 */
export const everythingEnds: Property = {
  name: 'everything-ends',
  sentence:
    'Once submissions and faults have stopped and the queue is RUNNING, every pull request reaches a terminal state and nothing is left over.',
  watch({ check }) {
    const live = new Map<number, PullRequestState>()
    /** Those of which the queue still knows that they have merged. */
    const landed = new Set<number>()
    const mayWait = (queue: QueueView, number: number): boolean => {
      const { configuration, hostFacts, impactedTargets, pullRequests: all } = queue
      return (
        hostFacts[number]?.mergeable === false ||
        (configuration.mode === 'parallel' && impactedTargets[number] === undefined) ||
        (all[number]?.dependsOn ?? []).some(
          (below) => !landed.has(below) && (!live.has(below) || mayWait(queue, below)),
        )
      )
    }
    return {
      on: {
        pullRequestSubmitted: ({ number, state }) => void live.set(number, state),
        pullRequestMoved({ number, to }) {
          live.set(number, to)
          if (to === 'MERGED') landed.add(number)
        },
        pullRequestEnded: ({ number }) => void live.delete(number),
        pullRequestForgotten: ({ number }) => void landed.delete(number),
      },
      atEnd(queue, point) {
        if (!point) return
        const leftOver = (holds: boolean, story: string, about: readonly number[] = []): void =>
          check(holds, point, () => ({ story, pullRequests: about }))
        const left = [...live].filter(([number, state]) => {
          return state !== 'NOT_READY' || !mayWait(queue, number)
        })
        const shown = left.map(([number, state]) => `${number} (${state})`)
        const numbers = left.map(([number]) => number)
        leftOver(left.length === 0, `At the end ${listed(shown)} had not ended.`, numbers)
        const underWay = Object.keys(queue.testRuns).map(Number)
        leftOver(underWay.length === 0, `At the end ${runs(underWay)} had not ended.`)
        const { main, bisection } = queue.slots
        leftOver(
          main === 0 && bisection === 0,
          `At the end slots were taken, ${main} main and ${bisection} of bisections.`,
        )
        const members = queue.line.flatMap((id) => [...(queue.groups[id]?.members ?? [])])
        leftOver(
          queue.line.length === 0 && Object.keys(queue.groups).length === 0,
          `At the end groups were left over, with ${pullRequests(members)}.`,
          members,
        )
        leftOver(
          queue.bisections.length === 0,
          `At the end not every bisection had ended: ${queue.bisections.length} still under way.`,
        )
        if (left.length > 0) return
        const behind = leftBehind(queue, live.size)
        leftOver(behind.length === 0, `At the end the state still held: ${listed(behind)}.`)
      },
    }
  },
}
