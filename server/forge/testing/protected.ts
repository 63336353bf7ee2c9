/** A protected branch: a push of a commit without its required checks is refused, in GitHub's words. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeRules, FakeState } from './state.ts'

const hook = `while read old new ref; do
  [ "$ref" = refs/heads/main ] || continue
  grep -qx "$new" green && continue
  echo "error: GH006: Protected branch update failed for refs/heads/main." >&2
  echo "error: Required status check \\"ci\\" is expected." >&2
  exit 1
done`

export function protect(state: FakeState, rules: FakeRules): void {
  state.rules = rules
  state.repository.hook('pre-receive', hook)
  noteGreen(state)
}

/** Writes down for the hook which commits have all required checks. */
export function noteGreen({ rules, checks, repository }: FakeState): void {
  if (!rules) return
  const shas = [...new Set(checks.map(({ sha }) => sha))]
  const green = shas.filter((sha) =>
    rules.checks.every((name) =>
      checks.some((check) => {
        return check.sha === sha && check.name === name && check.conclusion === 'success'
      }),
    ),
  )
  writeFileSync(join(repository.path, 'green'), green.map((sha) => `${sha}\n`).join(''))
}
