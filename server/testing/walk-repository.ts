/** A pull request of a real repository from the first request to its merge. */

import { join } from 'node:path'
import type * as wire from '../contract/wire.ts'
import { main, type ClientResponse } from './client.ts'
import type { Contract } from './contract.ts'
import { examples } from './examples.ts'
import { makeSmallRepository, testsWith } from './repository.ts'
import { start, temporaryFolder } from './test-server.ts'

const ref = { host: 'local', owner: 'me', name: 'shop', targetBranch: 'main' }
const queue = { repo: { host: 'local', owner: 'me', name: 'shop' }, targetBranch: 'main' }

/** What only a code host says, which the server sees itself here. */
const sayings = [
  ...['reportPullRequest', 'reportPush', 'reportManualMerge', 'finishMerge'],
  ...['reportUnbuildable', 'attachCodeHost'],
]

/** Merges a pull request, and asks everything that only a queue with a repository answers. */
export async function walkRepository(contract: Contract) {
  const url = join(temporaryFolder(), 'shop.git')
  await makeSmallRepository(url)
  const tests = testsWith('echo tested; test -f pay.txt')
  const hosting = [{ ref, url, tests, set: {}, pollMs: 60_000 }]
  const { client, manager, stop } = await start(temporaryFolder(), { contract, hosting })
  const branch = 'pay-twice'
  const { pr } = await client.ok<wire.OpenedPullRequest>('openPullRequest', { ...queue, branch })
  const merged = new Promise<void>((resolve) => {
    manager.subscribe(({ events }) => {
      if (events.some(({ type }) => type === 'tipMoved')) resolve()
    })
  })
  const vague: ClientResponse[] = []
  for (const sha of ['', 'a', '123456', 'main', '0'.repeat(65)]) {
    vague.push(await client.call('submitPullRequest', { ...queue, pr: { ...pr, sha } }))
  }
  await client.ok('submitPullRequest', { ...queue, pr })
  await merged
  const shown = await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', {
    ...queue,
    pr,
  })
  const testRunId = shown.verifiedByTestRun ?? ''
  const { log } = await client.ok<wire.TestRunLog>('getTestRunLog', { ...queue, testRunId })
  const status = await client.ok<wire.RepositoryStatus>('getRepositoryStatus', queue)
  const run = await client.ok<wire.TestRun>('getMergeQueueTestingDetails', { ...queue, testRunId })
  const landed = manager.registry.find('local/me/shop:main')?.history.tips.get(1)
  const refused: number[] = []
  for (const operationId of sayings) {
    const example = examples.get(operationId)
    const body = Object.assign({}, example, queue)
    refused.push((await client.call(operationId, body)).status)
  }
  const report = { testRunId, outcome: 'passed' }
  refused.push((await client.call('reportTestRun', report)).status)
  await client.ok('createQueue', main)
  for (const operationId of ['openPullRequest', 'getRepositoryStatus']) {
    refused.push((await client.call(operationId, { ...main, branch })).status)
  }
  const missing = await client.call('submitPullRequest', { ...queue, pr: { number: 99 } })
  await stop()
  return { url, shown, log, status, run, landed, refused, vague, unknown: missing.text }
}
