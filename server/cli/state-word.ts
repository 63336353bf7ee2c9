import type * as wire from '../contract/wire.ts'

const words = new Map([
  ['not_ready', 'not ready'],
  ['tests_passed', 'passed'],
  ['pending_failure', 'failed once'],
])

/** How every command calls the state of a pull request, which a server sends in either letter case. */
export function stateWord(state: wire.PullRequestState): string {
  const lower = state.toLowerCase()
  return words.get(lower) ?? lower
}
