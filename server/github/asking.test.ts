/** What people ask for: commands in comments, labels, and where webhooks say to look. */

import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { commandIn } from '../forge/comment-commands.ts'
import { hintOf } from '../forge/hook.ts'
import { githubDialect } from './adapter.ts'

test.each([
  ['/merge', { is: 'submit' }],
  ['/merge urgent', { is: 'submit', priority: 0 }],
  ['/merge low alone', { is: 'submit', priority: 200, noBatch: true }],
  ['/merge\r\nthank you', { is: 'submit' }],
  ['/cancel', { is: 'cancel' }],
  ['/retry', { is: 'restart' }],
  ['/Merge High', { is: 'submit', priority: 10 }],
  [' /merge', null],
  ['> /merge', null],
  ['`/merge`', null],
  ['please\n/merge', null],
  ['/merged', null],
  ['', null],
])('the comment %j means %j', (body, command) => {
  expect(commandIn(body)).toEqual(command)
})

//
test.each(['/merge tomorrow', '/cancel that', '/retry 7'])(
  'the comment %j begins with a command and is none: it says what is',
  (body) => {
    const asked = body.split(' ')[1]
    expect(commandIn(body)).toEqual({
      is: 'unknown',
      words: `"${asked}" is not understood: /merge, with urgent, high, medium, low, alone or nothing behind it, /cancel and /retry are`,
    })
  },
)

type Recorded = { readonly name: string; readonly examples: readonly unknown[] }

const require = createRequire(import.meta.url)
const recorded: readonly Recorded[] = [
  require('@octokit/webhooks-examples'),
  require('@octokit/webhooks-examples/ghes-31/index.json'),
  require('@octokit/webhooks-examples/ghes-35/index.json'),
].flat()

test('every recorded payload of GitHub is read, and those about pull requests say which', () => {
  const hints = recorded.flatMap(({ name, examples }) =>
    examples.map((payload) => ({ name, hint: hintOf(githubDialect, name, payload) })),
  )
  expect(hints.length).toBeGreaterThan(300)
  const of = (event: string) => hints.filter(({ name }) => name === event)
  for (const { hint } of of('pull_request')) expect(hint?.pulls).toHaveLength(1)
  for (const { hint } of [...of('check_run'), ...of('workflow_run'), ...of('status')]) {
    expect(hint?.commits).toHaveLength(1)
  }
  expect(of('star').every(({ hint }) => hint === null)).toBe(true)
})

test.each([
  ['status', { context: 'mergeyard (main)', sha: 'a' }],
  ['issue_comment', { action: 'created', issue: {}, comment: { body: '<!-- mergeyard x -->' } }],
  ['pull_request', { pull_request: { number: 9, head: { ref: 'mergeyard/pr-7/x' } } }],
])('what this server has written itself is no news: %s', (event, payload) => {
  expect(hintOf(githubDialect, event, { repository: { full_name: 'acme/shop' }, ...payload })).toBe(
    null,
  )
})

test.each([null, 'text', 7, [], {}, { repository: null }, { repository: { full_name: 1 } }])(
  'the payload %j says nothing, and does no harm',
  (payload) => {
    expect(hintOf(githubDialect, 'pull_request', payload)).toBe(null)
  },
)
