/** Situations in the line: how groups start, batch and overtake each other. */

import { targetBatchSize, type GroupId, type PullRequestNumber } from '../../engine/index.ts'
import { shownByEvent, type CoverageMark } from './coverage-mark.ts'

const resolved: CoverageMark['watch'] = () => {
  const waiting = new Set<GroupId>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type === 'groupConflicted') waiting.add(event.group)
      if (event.type !== 'testRunStarted') return false
      const { owner } = event.run
      return owner.kind === 'main' && waiting.has(owner.group)
    })
}

/** In parallel mode, a pull request merges while a group that started earlier is in the line. */
const mergedPast: CoverageMark['watch'] = () => {
  type GroupMembers = { readonly group: GroupId; readonly members: readonly PullRequestNumber[] }
  let before: readonly GroupMembers[] = []
  return ({ events, queue }) => {
    const stays = new Set(queue.line)
    const isPast = events.some((event) => {
      if (event.type !== 'tipMoved') return false
      const { number } = event
      const index = before.findIndex(({ members }) => number !== null && members.includes(number))
      return before.slice(0, Math.max(index, 0)).some(({ group }) => stays.has(group))
    })
    const membersOf = (group: GroupId): readonly number[] => [
      ...(queue.groups[group]?.members ?? []),
    ]
    before = queue.line.map((group) => ({ group, members: membersOf(group) }))
    return isPast && queue.configuration.mode === 'parallel'
  }
}

export const lineMarks: readonly CoverageMark[] = [
  {
    name: 'urgent interrupting',
    sentence: 'An urgent pull request arrives, and a run in progress is cancelled for it.',
    watch: shownByEvent('testRunCancelled', ({ cause }) => cause === 'SKIP_THE_LINE_INTERRUPTED'),
  },
  {
    name: 'batch filled',
    sentence: 'A batch starts because it is full.',
    watch: shownByEvent('groupPlaced', ({ cause, members }, { queue: { configuration } }) => {
      return (
        cause === 'formed' &&
        members.length > 1 &&
        members.length === targetBatchSize(configuration)
      )
    }),
  },
  {
    name: 'batch cut by wait time',
    sentence: 'A batch starts before it is full, because a member has reached the maximum wait.',
    watch: shownByEvent(
      'groupPlaced',
      ({ cause, members }, { command, queue: { configuration } }) => {
        const isDocumented = configuration.policy === 'documented'
        const isShort = isDocumented && members.length < targetBatchSize(configuration)
        return cause === 'formed' && isShort && command.type === 'wake'
      },
    ),
  },
  {
    name: 'batch grown',
    sentence: 'A batch holds more than two, because as many wait for each slot.',
    watch: shownByEvent('groupPlaced', ({ cause, members }, { queue: { configuration } }) => {
      return cause === 'formed' && members.length > 2 && configuration.policy === 'adaptive'
    }),
  },
  {
    name: 'split off to be tested alone',
    sentence:
      'A member that must be tested alone by now leaves its batch when the batch starts again.',
    watch: shownByEvent('groupSplit', ({ cause }) => cause === 'noBatch'),
  },
  {
    name: 'text conflict',
    sentence: 'A pull request has a text conflict with one ahead of it, and waits for that one.',
    watch: shownByEvent('groupConflicted'),
  },
  {
    name: 'text conflict resolved',
    sentence:
      'A pull request is tested, because the one that it had a text conflict with has left.',
    watch: resolved,
  },
  {
    name: 'text conflict with the branch',
    sentence: 'A pull request has a text conflict with a merged one, and is FAILED.',
    watch: shownByEvent('pullRequestMoved', ({ to, reason, testRun }) => {
      return to === 'FAILED' && reason === 'START_TEST_RUN_MERGE_CONFLICT' && testRun === null
    }),
  },
  {
    name: 'direct merge',
    sentence: 'A pull request that is green on the tip merges without a run.',
    watch: shownByEvent('groupPlaced', ({ cause }) => cause === 'direct merge'),
  },
  {
    name: 'lanes side by side',
    sentence:
      'A group is tested on the branch alone, although other groups are ahead of it in the line.',
    watch: shownByEvent('testRunStarted', ({ run: { owner, base } }, { queue: { line } }) => {
      return owner.kind === 'main' && base.length === 0 && line.indexOf(owner.group) > 0
    }),
  },
  {
    name: 'merged past another lane',
    sentence: 'In parallel mode, a group merges before a group that started earlier.',
    watch: mergedPast,
  },
]
