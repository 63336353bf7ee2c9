import { describe, expect, test } from 'vitest'
import type { Command, Rejection } from '../../engine/index.ts'
import { commandsOf, simulated, pullRequests } from '../testing/simulated.ts'

/** A command as text: its type and the values of its fields. */
function textOf({ type, at: _at, ...fields }: Command): string {
  const words = Object.values(fields).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  return [type, ...words].join(' ').replace(' ALL', ' "ALL"')
}

describe('events', () => {
  test('each kind of event becomes its command', () => {
    const { accepted } = commandsOf({
      queue: { state: 'PAUSED' },
      pullRequests: pullRequests(7),
      events: [
        { at: 1, do: 'cancel', number: 1 },
        { at: 2, do: 'push', number: 2 },
        { at: 3, do: 'close', number: 3 },
        { at: 4, do: 'convertToDraft', number: 4 },
        { at: 5, do: 'changeBase', number: 5 },
        { at: 6, do: 'manualMerge', number: 6 },
        { at: 7, do: 'setMergeable', number: 7, mergeable: false },
        { at: 8, do: 'setImpactedTargets', number: 7, targets: ['web'] },
        { at: 9, do: 'submit', number: 7, priority: 'high', noBatch: true },
        { at: 10, do: 'pushToBranch' },
        { at: 11, do: 'updateQueue', set: { concurrency: 1, state: 'DRAINING' } },
      ],
    })
    const commands = accepted.map(textOf)
    expect(commands.slice(7, 18)).toEqual([
      'cancelPullRequest 1 USER_REQUESTED',
      'cancelPullRequest 2 PR_PUSHED_TO',
      'cancelPullRequest 3 PR_CLOSED',
      'cancelPullRequest 4 PR_CONVERTED_TO_DRAFT',
      'cancelPullRequest 5 PR_BASE_BRANCH_CHANGED',
      'reportManualMerge 6',
      'reportPullRequest 7 false',
      'setImpactedTargets 7 ["web"]',
      'submitPullRequest 7 10 true',
      'reportPush',
      'updateQueue {"concurrency":1,"state":"DRAINING"}',
    ])
  })

  test('a rejected command is reported and is no part of the run', () => {
    const rejected: [Command['type'], Rejection['code']][] = []
    const result = simulated(
      { pullRequests: [{ number: 1 }], events: [{ at: 50, do: 'cancel', number: 1 }] },
      { onRejection: (command, rejection) => rejected.push([command.type, rejection.code]) },
    )
    expect(rejected).toEqual([['cancelPullRequest', 'not in queue']])
    expect(result.endedAtMinutes).toBe(10)
  })

  test('facts about a pull request come just before its submission', () => {
    const { accepted } = commandsOf({
      queue: { mode: 'single', directMergeMode: 'always' },
      pullRequests: [
        { number: 1, greenOnTip: true, targets: 'ALL' },
        { number: 2, at: 1, conflictsWith: [1], priority: 7 },
      ],
    })
    const commands = accepted.map(textOf)
    expect(commands.slice(0, 5)).toEqual([
      'reportPullRequest 1 true',
      'setImpactedTargets 1 "ALL"',
      'submitPullRequest 1',
      'reportPullRequest 2 [1]',
      'submitPullRequest 2 7',
    ])
  })
})
