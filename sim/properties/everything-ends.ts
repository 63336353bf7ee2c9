import type { PullRequestState } from '../../engine/index.ts'
import type { Property } from './property.ts'
import { listed, pullRequests, runs } from './telling.ts'
import { judgeInto, watcher, type Story } from './watching.ts'

/**
 * Spec, liveness: looked at once, after the last command of the calm. Whom the code host goes on
 * objecting to, and in parallel mode whose targets nobody knows, is NOT_READY for good reason.
 */
export const everythingEnds: Property = {
  name: 'everything-ends',
  sentence:
    'Once submissions and faults have stopped and the queue is RUNNING, everybody reaches a terminal state and nothing is left over.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const live = new Map<number, PullRequestState>()
    const objectedTo = new Set<number>()
    const touching = new Set<number>()
    const underWay = new Set<number>()
    return watcher(setting, {
      on: {
        pullRequestSubmitted: ({ number, state }) => void live.set(number, state),
        impactedTargetsSet: ({ number }) => void touching.add(number),
        pullRequestReported({ number, mergeable }) {
          if (mergeable === false) objectedTo.add(number)
          else if (mergeable === true) objectedTo.delete(number)
        },
        pullRequestMoved: ({ number, to }) => void live.set(number, to),
        pullRequestEnded: ({ number }) => void live.delete(number),
        testRunStarted: ({ run }) => void underWay.add(run.id),
        testRunFinished: ({ testRun }) => void underWay.delete(testRun),
        testRunCancelled: ({ testRun }) => void underWay.delete(testRun),
      },
      atEnd(queue, seen) {
        if (!seen) return
        const leftOver = (holds: boolean, story: string, about: readonly number[] = []): void =>
          judge(holds, seen, (): Story => ({ story, pullRequests: about }))
        const isParallel = queue.configuration.mode === 'parallel'
        const left = [...live].filter(([number, state]) => {
          const mayWait = objectedTo.has(number) || (isParallel && !touching.has(number))
          return state !== 'NOT_READY' || !mayWait
        })
        const shown = left.map(([number, state]) => `${number} (${state})`)
        const numbers = left.map(([number]) => number)
        leftOver(left.length === 0, `In the end ${listed(shown)} had not ended.`, numbers)
        leftOver(underWay.size === 0, `In the end ${runs([...underWay])} had not ended.`)
        const { main, bisection } = queue.slots
        leftOver(
          main === 0 && bisection === 0 && Object.keys(queue.testRuns).length === 0,
          `In the end slots were taken, ${main} main and ${bisection} of bisections.`,
        )
        const members = queue.line.flatMap((id) => [...(queue.groups[id]?.members ?? [])])
        leftOver(
          queue.line.length === 0 && Object.keys(queue.groups).length === 0,
          `In the end ${pullRequests(members)} were left in the line.`,
          members,
        )
        leftOver(
          queue.bisections.length === 0,
          `In the end not every bisection had ended: ${queue.bisections.length} went on.`,
        )
      },
    })
  },
}
