import type { PullRequestState } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import { leftBehind } from './left-behind.ts'
import { listed, pullRequests, runs } from './wording.ts'

/**
 * Rules: E-120, E-224. Checked once, after the last command of the run. A pull request may stay NOT_READY
 * while the code host reports it as not mergeable, in parallel mode while its targets are not known, and while
 * what it depends on is not in the queue, or waits likewise.
 */
export const everythingEnds: Property = {
  name: 'everything-ends',
  sentence:
    'Once submissions and faults have stopped and the queue is RUNNING, every pull request reaches a terminal state and nothing is left over.',
  watch({ check, ledger }) {
    const live = new Map<number, PullRequestState>()
    const unmergeable = new Set<number>()
    const withTargets = new Set<number>()
    const below = new Map<number, readonly number[]>()
    const landed = new Set<number>()
    const mayWait = (number: number, isParallel: boolean): boolean =>
      unmergeable.has(number) ||
      (isParallel && !withTargets.has(number)) ||
      (below.get(number) ?? []).some(
        (each) => !landed.has(each) && (!live.has(each) || mayWait(each, isParallel)),
      )
    return {
      on: {
        pullRequestSubmitted({ number, state, dependsOn }) {
          live.set(number, state)
          below.set(number, dependsOn ?? [])
        },
        tipMoved: ({ number }) => void (number !== null && landed.add(number)),
        impactedTargetsSet: ({ number }) => void withTargets.add(number),
        pullRequestReported({ number, mergeable }) {
          if (mergeable === false) unmergeable.add(number)
          else if (mergeable === true) unmergeable.delete(number)
        },
        pullRequestMoved: ({ number, to }) => void live.set(number, to),
        pullRequestEnded: ({ number }) => void live.delete(number),
      },
      atEnd(queue, point) {
        if (!point) return
        const leftOver = (holds: boolean, story: string, about: readonly number[] = []): void =>
          check(holds, point, () => ({ story, pullRequests: about }))
        const isParallel = queue.configuration.mode === 'parallel'
        const left = [...live].filter(([number, state]) => {
          return state !== 'NOT_READY' || !mayWait(number, isParallel)
        })
        const shown = left.map(([number, state]) => `${number} (${state})`)
        const numbers = left.map(([number]) => number)
        leftOver(left.length === 0, `At the end ${listed(shown)} had not ended.`, numbers)
        const { underWay } = ledger.runs
        leftOver(underWay.size === 0, `At the end ${runs([...underWay.keys()])} had not ended.`)
        const { main, bisection } = queue.slots
        leftOver(
          main === 0 && bisection === 0 && Object.keys(queue.testRuns).length === 0,
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
