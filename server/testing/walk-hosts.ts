/** A pull request of a real repository from the first request to its merge. */

import { join } from 'node:path'
import type * as wire from '../contract/wire.ts'
import { main, type ClientResponse, type Client, type Contract, examples } from './client.ts'
import { makeSmallRepository, testsWith } from './repository.ts'
import { start } from './test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'

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
  const other = { ...queue, pr: { ...pr, sha: '1234567' } }
  const refused = [(await client.call('submitPullRequest', other)).status]
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

// A client that is the code host itself: it tells what it sees, and answers the merges it is asked for.

const pr = { number: 7 }
const commit = '4a5e1e4baab89f3a32518a88c31bc87f618f7667'

/** The states of pull request 7 on its way, and how three others end. */
export async function walkCodeHost(contract: Contract) {
  const { client, stop } = await start(temporaryFolder(), { contract })
  await client.ok('createQueue', { ...main, directMergeMode: 'always' })
  await client.ok('attachCodeHost', { ...main, codeHost: 'answers' })
  const about = { ...main, pr }
  const states: string[] = []
  const look = async (): Promise<wire.SubmittedPullRequest> => {
    const seen = await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', about)
    states.push(seen.state)
    return seen
  }
  await client.ok('reportPullRequest', { ...about, title: 'Pay twice', mergeable: false })
  await client.ok('submitPullRequest', about)
  await look()
  await client.ok('reportPullRequest', { ...about, mergeable: true })
  await look()
  await passes(client)
  const { mergeRequested: asked } = await look()
  await client.ok('finishMerge', { ...about, outcome: 'targetMoved' })
  await client.ok('reportPush', { ...main, commit })
  await look()
  await passes(client)
  await client.ok('finishMerge', { ...about, outcome: 'merged', commits: [commit] })
  await look()
  const direct = await others(client)
  await stop()
  return { asked, states, direct }
}

/** Reports that the run in progress has passed. */
async function passes(client: Client): Promise<void> {
  const testRunId = await runOf(client)
  await client.ok('reportTestRun', { testRunId, outcome: 'passed' })
}

async function runOf(client: Client): Promise<string> {
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
  return testRuns.at(-1)?.testRunId ?? ''
}

/** 8 is green on the tip and merges without a run, 9 is merged by hand, 10 cannot be built. */
async function others(client: Client): Promise<string[]> {
  const of = (number: number) => ({ ...main, pr: { number } })
  await client.ok('reportPullRequest', { ...of(8), greenOnTip: true })
  await client.ok('submitPullRequest', of(8))
  await client.ok('finishMerge', { ...of(8), outcome: 'merged', commits: [commit] })
  await client.ok('submitPullRequest', of(9))
  await client.ok('reportManualMerge', { ...of(9), commit })
  await client.ok('submitPullRequest', of(10))
  const testRunId = await runOf(client)
  await client.ok('reportUnbuildable', { ...of(10), testRunId, conflictsWith: null })
  const ends: string[] = []
  for (const number of [8, 9, 10]) {
    const seen = await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', of(number))
    ends.push(seen.state)
  }
  return ends
}
