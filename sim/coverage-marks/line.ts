/** Situations in the line: how groups start, batch and overtake each other. */

import { targetBatchSize, type GroupId, type PullRequestNumber } from '../../engine/index.ts'
import { shownByEvent, type CoverageMarks, type Watch } from './coverage-mark.ts'

const resolved: Watch = () => {
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
const mergedPast: Watch = () => {
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

export const lineMarks: CoverageMarks = {
  'urgent interrupting': [
    'An urgent pull request arrives, and a run in progress is cancelled for it.',
    shownByEvent('testRunCancelled', ({ cause }) => cause === 'SKIP_THE_LINE_INTERRUPTED'),
  ],
  'batch filled': [
    'A batch starts because it is full.',
    shownByEvent('groupPlaced', ({ cause, members }, { queue: { configuration } }) => {
      return (
        cause === 'formed' &&
        members.length > 1 &&
        members.length === targetBatchSize(configuration)
      )
    }),
  ],
  'batch cut by wait time': [
    'A batch starts before it is full, because a member has reached the maximum wait.',
    shownByEvent('groupPlaced', ({ cause, members }, { command, queue: { configuration } }) => {
      const isDocumented = configuration.policy === 'documented'
      const isShort = isDocumented && members.length < targetBatchSize(configuration)
      return cause === 'formed' && isShort && command.type === 'wake'
    }),
  ],
  'batch grown': [
    'A batch holds more than two, because as many wait for each slot.',
    shownByEvent('groupPlaced', ({ cause, members }, { queue: { configuration } }) => {
      return cause === 'formed' && members.length > 2 && configuration.policy === 'adaptive'
    }),
  ],
  'split off to be tested alone': [
    'A member that must be tested alone by now leaves its batch when the batch starts again.',
    shownByEvent('groupSplit', ({ cause }) => cause === 'noBatch'),
  ],
  'text conflict': [
    'A pull request has a text conflict with one ahead of it, and waits for that one.',
    shownByEvent('groupConflicted'),
  ],
  'text conflict resolved': [
    'A pull request is tested, because the one that it had a text conflict with has left.',
    resolved,
  ],
  'text conflict with the branch': [
    'A pull request has a text conflict with a merged one, and is FAILED.',
    shownByEvent('pullRequestMoved', ({ to, reason, testRun }) => {
      return to === 'FAILED' && reason === 'START_TEST_RUN_MERGE_CONFLICT' && testRun === null
    }),
  ],
  'direct merge': [
    'A pull request that is green on the tip merges without a run.',
    shownByEvent('groupPlaced', ({ cause }) => cause === 'direct merge'),
  ],
  'lanes side by side': [
    'A group is tested on the branch alone, although other groups are ahead of it in the line.',
    shownByEvent('testRunStarted', ({ run: { owner, base } }, { queue: { line } }) => {
      return owner.kind === 'main' && base.length === 0 && line.indexOf(owner.group) > 0
    }),
  ],
  'merged past another lane': [
    'In parallel mode, a group merges before a group that started earlier.',
    mergedPast,
  ],
}
