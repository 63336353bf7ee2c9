/** Situations in the line: who starts, with whom, and who goes past whom. */

import { targetBatchSize, type GroupId, type PullRequestNumber } from '../../engine/index.ts'
import { shownBy, type Mark } from './mark.ts'

const resolved: Mark['watch'] = () => {
  const waiting = new Set<GroupId>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type === 'groupConflicted') waiting.add(event.group)
      if (event.type !== 'testRunStarted') return false
      const { owner } = event.run
      return owner.kind === 'main' && waiting.has(owner.group)
    })
}

/** In parallel mode, somebody merges while a group that started before is still in the line. */
const mergedPast: Mark['watch'] = () => {
  type Place = { readonly group: GroupId; readonly members: readonly PullRequestNumber[] }
  let before: readonly Place[] = []
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

export const lineMarks: readonly Mark[] = [
  {
    name: 'urgent interrupting',
    sentence: 'An urgent pull request comes, and a run that is under way is cancelled for it.',
    watch: shownBy('testRunCancelled', ({ cause }) => cause === 'SKIP_THE_LINE_INTERRUPTED'),
  },
  {
    name: 'batch filled',
    sentence: 'A batch starts because it is full.',
    watch: shownBy('groupPlaced', ({ cause, members }, { queue: { configuration } }) => {
      return (
        cause === 'formed' &&
        members.length > 1 &&
        members.length === targetBatchSize(configuration)
      )
    }),
  },
  {
    name: 'batch cut by wait time',
    sentence: 'A batch starts without being full, because a member has waited the maximum wait.',
    watch: shownBy('groupPlaced', ({ cause, members }, { command, queue: { configuration } }) => {
      const isShort = members.length < targetBatchSize(configuration)
      return cause === 'formed' && isShort && command.type === 'wake'
    }),
  },
  {
    name: 'noBatch splits off',
    sentence: 'A member that has become noBatch leaves its batch when that restarts.',
    watch: shownBy('groupSplit', ({ cause }) => cause === 'noBatch'),
  },
  {
    name: 'text conflict',
    sentence: 'A pull request conflicts as text with one ahead of it, and waits for its fate.',
    watch: shownBy('groupConflicted'),
  },
  {
    name: 'text conflict resolved',
    sentence: 'The one that it conflicts with has left, and it is tested after all.',
    watch: resolved,
  },
  {
    name: 'text conflict with the branch',
    sentence: 'A pull request conflicts as text with one that has merged, and is FAILED.',
    watch: shownBy('pullRequestMoved', ({ to, reason, testRun }) => {
      return to === 'FAILED' && reason === 'START_TEST_RUN_MERGE_CONFLICT' && testRun === null
    }),
  },
  {
    name: 'direct merge',
    sentence: 'A pull request that is green on the tip merges without a run.',
    watch: shownBy('groupPlaced', ({ cause }) => cause === 'direct merge'),
  },
  {
    name: 'lanes side by side',
    sentence: 'A group is tested on the bare branch although others are ahead of it in the line.',
    watch: shownBy('testRunStarted', ({ run: { owner, base } }, { queue: { line } }) => {
      return owner.kind === 'main' && base.length === 0 && line.indexOf(owner.group) > 0
    }),
  },
  {
    name: 'merged past another lane',
    sentence: 'In parallel mode a group merges while one that started before it has not.',
    watch: mergedPast,
  },
]
