/** Test runs link to the pages of their pull requests. */

import { expect, test } from 'vitest'
import { started } from '../testing/any-store.ts'
import type * as wire from '../contract/wire.ts'

//
test.each([
  ['github.com', 'acme', 'shop', 'https://github.com/acme/shop/pull/7'],
  ['git.example', 'acme', 'shop', 'https://git.example/acme/shop/pull/7'],
  ['gitlab.com', 'acme', 'shop', 'https://gitlab.com/acme/shop/-/merge_requests/7'],
  ['gitlab.com', 'a/b/c', 'shop', 'https://gitlab.com/a/b/c/shop/-/merge_requests/7'],
  ['my-gitlab.example:8443', 'a', 'b', 'https://my-gitlab.example:8443/a/b/-/merge_requests/7'],
  ['git.example', 'group/sub', 'shop', 'https://git.example/group/sub/shop/-/merge_requests/7'],
  ['github.com', 'acme', 'a b?#', 'https://github.com/acme/a%20b%3F%23/pull/7'],
])('on %s the page of %s/%s is %s', async (host, owner, name, expected) => {
  const { client } = await started()
  const queue = { repo: { host, owner, name }, targetBranch: 'main' }
  await client.ok('createQueue', queue)
  await client.ok('submitPullRequest', { ...queue, pr: { number: 7 } })
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', queue)
  expect(testRuns[0]?.testedPullRequests).toEqual([{ prNumber: 7, prUrl: expected, title: '' }])
})
