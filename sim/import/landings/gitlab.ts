/** GitLab: a merge whose last line is `See merge request group/project!5314`. */

import { firstLine, type Rule } from './rule.ts'

/** The line with the merge request decides, however many parents the commit has. */
export const gitlab: Rule = {
  names: ['merge request', 'merge requests'],
  batch: 'commit',
  caveat: 'A log cannot tell merge trains from other merges of GitLab.',
  read({ body, subject }) {
    const number = [...body.matchAll(/^See merge request \S*!(\d{1,9})\s*$/gm)].at(-1)?.[1]
    if (number === undefined) return null
    const branch = /^Merge branch '(.+?)' into /.exec(subject)?.[1] ?? ''
    return [{ number: Number(number), title: firstLine(body), author: null, branch }]
  },
}
