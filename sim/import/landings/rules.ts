/** The table of rules. The first that fits decides. */

import { borsNg } from './bors-ng.ts'
import { gerritForward, gerritMerge, gerritPick } from './gerrit.ts'
import { gitlab } from './gitlab.ts'
import { homu, rollup } from './homu.ts'
import { mergeButton, tide } from './merge-button.ts'
import { mergify } from './mergify.ts'
import type { Rule } from './rule.ts'
import { mergeQueue, squash } from './squash.ts'
import { botWithoutNumber, mergeWithoutNumber, rebase } from './without-number.ts'

/** Rules for commits that name their pull requests, the narrow ones first. */
export const namingRules: readonly Rule[] = [
  borsNg,
  rollup,
  homu,
  mergify,
  tide,
  mergeButton,
  gitlab,
  gerritPick,
  gerritMerge,
  mergeQueue,
  squash,
  // After the numbers, because stacks on GitHub have a Change-Id as well.
  gerritForward,
  botWithoutNumber,
]

/** Rules for the others, in a history in which hardly any commit names its pull request. */
export const namelessRules: readonly Rule[] = [mergeWithoutNumber, rebase]
