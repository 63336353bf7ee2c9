/** What GitHub accepts: the body of a repository's ruleset with the rule merge_queue. */

import { closed, listOf, text, wholeFrom, type Owner } from './schema.ts'

/** All seven are required. */
export const githubParameters = {
  check_response_timeout_minutes: wholeFrom(1, 360),
  grouping_strategy: { enum: ['ALLGREEN', 'HEADGREEN'] },
  max_entries_to_build: wholeFrom(0, 100),
  max_entries_to_merge: wholeFrom(0, 100),
  merge_method: { enum: ['MERGE', 'SQUASH', 'REBASE'] },
  min_entries_to_merge: wholeFrom(0, 100),
  min_entries_to_merge_wait_minutes: wholeFrom(0, 360),
} as const

const rule = closed({ type: { enum: ['merge_queue'] }, parameters: closed(githubParameters) })

const branches = closed({ include: listOf(text, { minItems: 1 }), exclude: listOf(text) })

export const githubOwner: Owner = {
  schema: closed({
    name: text,
    target: { enum: ['branch'] },
    enforcement: { enum: ['disabled', 'active', 'evaluate'] },
    conditions: closed({ ref_name: branches }),
    rules: listOf(rule, { minItems: 1 }),
  }),
  source:
    "GitHub's OpenAPI description of its REST API, version 2026-03-10, as in the npm package @octokit/openapi 23.0.2 (2026-09-09)",
}
