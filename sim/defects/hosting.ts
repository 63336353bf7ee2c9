/** Defects of what a code host does with real branches: builds that fail, and pushes of groups. */

import { beingMerged, engineParts, type QueueView } from '../../engine/index.ts'
import { alteredStep, deciding, decidingOnMisreadQueue, evolving } from '../run/altered-engines.ts'
import type { Defect } from './defect.ts'

const withoutLine = (): Partial<QueueView> => ({ line: [], bisections: [] })

export const hostingDefects: readonly Defect[] = [
  {
    name: 'unbuildable-starts-again',
    sentence: 'Every second run that git cannot build is started again.',
    parts: deciding((step, command) => {
      // Not every one: a loop without an end would make the search for the defect slow.
      const isSecond = command.type === 'reportUnbuildable' && command.testRun % 2 === 0
      if (!isSecond) return engineParts.decide(step, command)
      const [number = 0] = step.queue.testRuns[command.testRun]?.tested ?? []
      return engineParts.decide(step, { type: 'restartTests', number })
    }),
  },
  {
    name: 'unbuildable-counts-as-failed',
    sentence: 'A run that git cannot build counts as one in which tests failed.',
    parts: deciding((step, command) => {
      if (command.type !== 'reportUnbuildable') return engineParts.decide(step, command)
      const { testRun } = command
      return engineParts.decide(step, { type: 'finishTestRun', testRun, outcome: 'failed' })
    }),
  },
  {
    name: 'found-conflict-fails-at-once',
    sentence: 'A conflict that a build has found is final, although the other one has not merged.',
    parts: deciding((step, command) =>
      engineParts.decide(
        step,
        command.type === 'reportUnbuildable' ? { ...command, conflictsWith: 'tip' } : command,
      ),
    ),
  },
  {
    name: 'push-lands-only-the-first',
    sentence: 'Of a group that has landed in one push only the first member becomes MERGED.',
    parts: deciding((step, command) => {
      if (command.type !== 'finishMerge') return engineParts.decide(step, command)
      const { numbers: _numbers, ...first } = command
      return engineParts.decide(step, first)
    }),
  },
  {
    name: 'part-of-a-push-lands-all',
    sentence: 'If only the first members of a group have landed, all of them become MERGED.',
    parts: deciding((step, command) => {
      if (command.type !== 'finishMerge' || command.refused !== null)
        return engineParts.decide(step, command)
      const home = step.queue.pullRequests[command.number]?.home
      const group = home?.in === 'group' ? step.queue.groups[home.group] : undefined
      const numbers = group ? [...beingMerged(group)] : []
      return engineParts.decide(step, numbers.length > 1 ? { ...command, numbers } : command)
    }),
  },
  {
    name: 'refused-push-keeps-the-verdict',
    sentence: 'If the code host refuses a push because of one member, the others merge untested.',
    parts: deciding((step, command) => {
      const isRefused = command.type === 'finishMerge' && command.refused !== null
      const altered = alteredStep(step, (event) => {
        const isRestart =
          event.type === 'groupRestarted' ||
          (event.type === 'pullRequestMoved' && event.to === 'PENDING')
        return isRestart ? [] : [event]
      })
      return engineParts.decide(isRefused ? altered : step, command)
    }),
  },
  {
    name: 'host-attached-in-mid-work',
    sentence: 'A queue gets a code host while groups are in its line.',
    parts: deciding((step, command) =>
      command.type === 'attachHost'
        ? decidingOnMisreadQueue(withoutLine).decide(step, command)
        : engineParts.decide(step, command),
    ),
  },
  {
    name: 'attached-host-not-asked',
    sentence: 'A queue that gets a code host later still merges without it.',
    parts: evolving((queue, event) => {
      if (event.type === 'hostAttached') queue.codeHost = 'merges at once'
    }),
  },
]
