/**
 * GitHub's merge queue: a rule of a repository ruleset.
 *
 * Modelled on GitHub's merge queue (docs.github.com, "Managing a merge queue"). Every entry has a
 * separate build, on top of all entries ahead. The build concurrency limits the number of
 * concurrent builds: it is that of the policy's settings. Entries merge in groups from the head. A
 * group with fewer entries than the minimum merges only when its first entry has waited long enough.
 *
 * With "Only merge non-failing pull requests" (`ALLGREEN`), a failing entry is removed at once, and
 * its successors are rebuilt. An entry may therefore be removed because of a culprit ahead whose
 * build takes longer. Without it (`HEADGREEN`), failed and pending entries merge too if the last of
 * the group has passed, so the head is removed only if all entries in its group have failed.
 *
 * A stack enters in its order. When an entry is removed, those of its stack above it are removed too
 * (docs.github.com, "Merging stacked pull requests").
 *
 * Assumed: a group that failed may still fill while its first entry waits. Not modelled: jumping the
 * queue, and the timeout of status checks.
 */

import { Chain } from './chain.ts'
import { choice, numberIn, slotCount, whole, wholeFrom } from './queue.ts'
import type { Values, OtherQueue } from './queue.ts'

const source =
  "GitHub's OpenAPI description of its REST API, version 2026-03-10, as in the npm package @octokit/openapi 23.0.2 (2026-09-09)"

/** GitHub takes 0 too, with which nothing would be tested or merged. */
const entries = wholeFrom(1, 100)

const builds = 'max_entries_to_build'
const most = 'max_entries_to_merge'
const least = 'min_entries_to_merge'
const wait = 'min_entries_to_merge_wait_minutes'
const timeout = 'check_response_timeout_minutes'
const grouping = 'grouping_strategy'
const method = 'merge_method'

/**
 * All seven are required, so the API has no defaults. These are those of the Terraform provider
 * integrations/terraform-provider-github at b6ce8c0 (2026-08-07).
 */
const parameters = [
  slotCount(builds, {
    title: 'build concurrency',
    accepted: entries,
    usual: 5,
    ladder: [1, 2, 5, 10, 20],
  }),
  choice(grouping, { title: 'grouping', accepted: ['ALLGREEN', 'HEADGREEN'], usual: 'ALLGREEN' }),
  whole(most, {
    title: 'group at most',
    accepted: entries,
    usual: 5,
    ladder: [1, 2, 5, 10],
  }),
  whole(least, {
    title: 'group at least',
    accepted: entries,
    usual: 1,
    ladder: [1, 2, 4],
  }),
  whole(wait, {
    title: 'group wait',
    unit: 'min',
    accepted: wholeFrom(0, 360),
    usual: 5,
    ladder: [5, 10],
  }),
  whole(timeout, {
    title: 'timeout of checks',
    unit: 'min',
    accepted: wholeFrom(1, 360),
    usual: 60,
  }),
  choice(method, {
    title: 'merge method',
    accepted: ['MERGE', 'SQUASH', 'REBASE'],
    usual: 'MERGE',
    isSearched: false,
  }),
]

export const github: OtherQueue = {
  name: 'github',
  title: "GitHub's merge queue",
  after: 'docs.github.com, "Managing a merge queue"',
  leavesOut: 'jumping the queue, the timeout of status checks',
  parameters,
  normal,
  kinds: (values) => (isHeadGreen(values) ? ['cleared-by-successor'] : []),
  slots: (values) => numberIn(values, builds),
  policy: (values) => (host) =>
    new Chain(host, {
      takesStacks: true,
      underTest: Infinity,
      isHeadGreen: isHeadGreen(values),
      least: numberIn(values, least),
      most: numberIn(values, most),
      waitMs: numberIn(values, wait) * 60_000,
    }),
  configuration: (values, { repo, branch }) => {
    const path = `repos/${repo.owner}/${repo.name}/rulesets`
    const include = [branch === null ? '~DEFAULT_BRANCH' : `refs/heads/${branch}`]
    const rule = {
      type: 'merge_queue',
      parameters: Object.fromEntries(parameters.map(({ name }) => [name, values[name] ?? null])),
    }
    const ruleset = {
      name: 'merge queue',
      target: 'branch',
      enforcement: 'active',
      conditions: { ref_name: { include, exclude: [] } },
      rules: [rule],
    }
    return {
      target: `ruleset.json, for POST /${path}`,
      language: 'json',
      text: `${JSON.stringify(ruleset, null, 2)}\n`,
      apply: [
        `new: gh api -X POST ${path} --input ruleset.json`,
        `existing: gh api -X PUT ${path}/RULESET_ID --input ruleset.json, with the other rules of that ruleset in the file: PUT replaces all of them`,
        'only a ruleset of a repository takes this rule, not one of an organisation',
        `${method} and ${timeout} are not searched: --today ${method}=SQUASH names yours`,
      ],
      checked: source,
    }
  },
}

/** All green: the largest group does not matter. The wait matters only with a least group. */
function normal(values: Values, fallback: Values): Values {
  const isAllGreen = !isHeadGreen(values)
  const least0 = numberIn(values, least)
  const most0 = isAllGreen ? Math.max(least0, numberIn(fallback, most)) : numberIn(values, most)
  const fewest = Math.min(least0, most0)
  const hasWait = fewest > 1 && numberIn(values, wait) > 0
  return {
    ...values,
    [most]: most0,
    [least]: hasWait ? fewest : 1,
    [wait]: hasWait ? numberIn(values, wait) : numberIn(fallback, wait),
  }
}

function isHeadGreen(values: Values): boolean {
  return values[grouping] === 'HEADGREEN'
}
