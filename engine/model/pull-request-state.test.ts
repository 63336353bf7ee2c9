import { expect, test } from 'vitest'
import { isAllowedMove, pullRequestStates, pullRequestTransitions } from './pull-request-state.ts'

test('a move is allowed if one row of the table has its states and its reason, and only then', () => {
  const reasons = [...new Set(pullRequestTransitions.flatMap((row) => row.reasons))]
  for (const from of ['none', ...pullRequestStates] as const) {
    for (const to of pullRequestStates) {
      for (const reason of reasons) {
        const rows = pullRequestTransitions.filter(
          (row) => row.from.includes(from) && row.to === to && row.reasons.includes(reason),
        )
        expect([from, to, reason, isAllowedMove(from, to, reason)]).toEqual([
          ...[from, to, reason],
          rows.length > 0,
        ])
      }
    }
  }
})
