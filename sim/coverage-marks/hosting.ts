/** Situations that a code host with real branches causes: builds that fail, and pushes of groups. */

import type { Command } from '../../engine/index.ts'
import { seenInState, shownByEvent, type CoverageMark } from './coverage-mark.ts'

/** How many pull requests an accepted answer of the code host says have landed. */
function landedBy(command: Command): number {
  if (command.type !== 'finishMerge' || command.refused !== null) return 0
  return command.numbers?.length ?? 1
}

export const hostingMarks: readonly CoverageMark[] = [
  {
    name: 'conflict found by a build',
    sentence: 'The branch of a run cannot be built, because two pull requests conflict as text.',
    watch: seenInState((_, { command }) => command.type === 'reportUnbuildable'),
  },
  {
    name: 'conflict of a batch found by a build',
    sentence: 'A member leaves its batch, because the branch of its run cannot be built with it.',
    watch: shownByEvent('groupSplit', (_, { command }) => command.type === 'reportUnbuildable'),
  },
  {
    name: 'group landed in one push',
    sentence: 'Several pull requests land in one push.',
    watch: seenInState((_, { command }) => landedBy(command) > 1),
  },
  {
    name: 'rest of a push requested again',
    sentence: 'Only the first of a group have landed, and the others are requested again.',
    watch: shownByEvent('mergeRequested', ({ group, numbers }, { queue }) => {
      const phase = queue.groups[group]?.phase
      return numbers !== undefined && phase?.kind === 'passed' && phase.begun
    }),
  },
]
